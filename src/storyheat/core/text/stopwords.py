"""Words that carry no topic, in English, as a closed list in our own choice."""

STOP_WORDS = frozenset(
    """
    a about above after again against ago all almost along already also although always am among an and another any
    anyone anything are aren around as ask asked at away back be became because become been before began behind being
    below between both but by came can cannot could couldn did didn do does doesn doing don done down during each
    either else enough even ever every everyone everything few for from further gave get gets getting give given go
    goes going gone got had hadn has hasn have haven having he her here hers herself him himself his how however i if
    in including indeed instead into is isn it its itself just keep kept know known last later least less let like
    likely made make makes making many may maybe me might mine more most much must my myself near nearly need never
    next no nor not nothing now of off often on once one only onto or other others our ours out over own per perhaps
    put quite rather re really s said same saw say saying says see seem seems seen several shall she should shouldn
    since so some someone something soon still such t take taken takes taking tell than that the their theirs them
    themselves then there these they thing things think this those though through thus to today told tomorrow too
    took toward towards two under until up upon us use used uses using ve very via want wants was wasn way we well
    went were weren what when where whether which while who whom whose why will with within without won would wouldn
    yes yesterday yet you your yours yourself
    monday tuesday wednesday thursday friday saturday sunday
    """.split()  # noqa: SIM905 - a block of words reads better
)

# Words that are written with a capital and yet name nothing by which two stories could be told apart.
NO_NAMES = frozenset(
    """
    january february march april may june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec mr mrs ms dr sir
    """.split()  # noqa: SIM905 - a block of words reads better
)

# Words that open English sentences and are no names, besides those above; in our own choice.
OPENERS = frozenset(
    """
    according accordingly additionally adding adopting analysts anybody applying articles assuming authorities
    availability based besides beyond billions both building buyers cheaper clearly combined comments companies
    company compared competition competitors concerns consequently consumers cost costs coverage critics
    currently customers data demand despite details developers different due earlier early economists efficiency
    employees engineers everybody evidence example executives existing expect experts faster figures finally
    first following founders fresh future generally governments growing half hence higher hundreds improvements
    independent industry initially investors its journalists judges larger late latest lawmakers lawyers longer
    lower many meanwhile members millions minor moreover most neither new newer news nobody none notably numbers
    observers officials older one organisations organizations originally overall owners parents partly patients
    people plans police possible previous prices prior problems publicly questions readers real recent recently
    regardless regulators relatives reporters reports representatives researchers residents results rights
    rising rival rivals schools scientists second security separately several shares similarly sources
    specifically spokespeople spokesperson staff students supporters suppliers teams techniques testing tests
    third thousands together total traders ultimately unless unlike until updates upstream users versions voters
    watch whereas whoever witnesses workers world worldwide
    """.split()  # noqa: SIM905 - a block of words reads better
)
