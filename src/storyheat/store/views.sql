CREATE VIEW story_items AS
-- Every item of every story as it stands now: the newest decision about the pair.
SELECT
    membership.story_id,  -- which story
    membership.item_id,  -- which item
    membership.role,  -- report, mention or copy
    item.title,  -- plain text; empty: none given
    item.url,  -- address to open; NULL: none given
    source.name AS source,  -- name of the source it belongs to
    source.owner,  -- sources of one owner are one voice
    source.level,  -- first_party, press or discussion: of the source
    item.published_at,  -- instant, UTC, as first claimed; NULL: no usable date
    item.first_seen_at,  -- instant of the run that stored it, UTC
    item.effective_at,  -- instant it counts from, UTC
    item.effective_because,  -- why that instant, in words
    item.backlog,  -- 1: undated in the first fetch of its feed; never counted
    membership.decided_at,  -- instant of the run or correction that put it here, UTC
    membership.decided_by,  -- machine, or who corrected it
    membership.because  -- JSON record of the features behind the decision
FROM membership
JOIN item ON item.id = membership.item_id
JOIN source ON source.id = item.source_id
WHERE membership.role <> 'none'
    AND NOT EXISTS (
        SELECT 1
        FROM membership AS newer
        WHERE newer.item_id = membership.item_id
            AND newer.story_id = membership.story_id
            AND newer.id > membership.id
    );

CREATE VIEW story_title AS
-- What every story is called: the title of its headline item where one was told, of its founding item if that is
-- still in it, else of its first report with a title, else of any item. A story that was merged away keeps the
-- title of its founding item.
SELECT
    story.id AS story_id,  -- which story
    coalesce(
        (
            SELECT item.title
            FROM headline
            JOIN item ON item.id = headline.item_id
            WHERE headline.story_id = story.id
        ),
        (
            SELECT title
            FROM story_items
            WHERE story_items.story_id = story.id AND item_id = story.founding_item_id AND title <> ''
        ),
        (
            SELECT title
            FROM story_items
            WHERE story_items.story_id = story.id AND title <> ''
            ORDER BY role <> 'report', effective_at, item_id
            LIMIT 1
        ),
        founder.title
    ) AS title  -- plain text; empty: none of its items has a title
FROM story
JOIN item AS founder ON founder.id = story.founding_item_id;

CREATE VIEW latest_developments AS
-- What became known, newest first, in every story. The first report of a story has no new figures or words: all is new.
SELECT
    item.effective_at AS at,  -- instant it became known, UTC
    item.title,  -- of the report that shows it
    source.name AS source,  -- name of the source of that report
    development.subject_item_id IS NOT NULL
        OR development.said_by <> '[]' AS confirmed,  -- 1: the subject itself or a second voice says it; else 0
    development.figures AS new_figures,  -- JSON list of figures that no earlier report had, as printed
    development.terms AS new_words,  -- JSON list of names or words likewise, folded
    story_title.title AS story,  -- what the story is called
    development.story_id,  -- which story
    development.item_id  -- the report that shows it
FROM development
JOIN item ON item.id = development.item_id
JOIN source ON source.id = item.source_id
JOIN story_title ON story_title.story_id = development.story_id
ORDER BY item.effective_at DESC, development.story_id, development.item_id;

CREATE VIEW top_stories AS
-- The hot list as of the last run, the hottest first.
SELECT
    row_number() OVER (ORDER BY measure.heat DESC, measure.last_at DESC, measure.story_id) AS rank,  -- 1 is the hottest
    round(measure.heat, 1) AS heat,  -- points; 10 = one voice speaking right now
    CASE
        WHEN measure.change_percent IS NULL THEN ''
        WHEN round(measure.change_percent) = 0 THEN '0%'
        ELSE printf('%+d%%', round(measure.change_percent))
    END AS change_24h,  -- per cent with sign; empty: cannot be told
    measure.change_standing,  -- ok; or why the change cannot be told: young, unobserved or zero
    round(measure.peak, 1) AS peak_7d,  -- points; the largest heat of the last 7 days
    measure.peak_at,  -- instant of that, UTC
    measure.voices,  -- independent voices counted, all time
    story_title.title,  -- what the story is called
    measure.story_id,  -- which story
    measure.measured_at  -- instant the figures are for, UTC: the last run
FROM measure
JOIN story_title ON story_title.story_id = measure.story_id
ORDER BY rank;

CREATE VIEW story_timeline AS
-- The items of a story by day, newest first: WHERE story_id = '…'.
SELECT
    story_id,  -- which story
    substr(effective_at, 1, 10) AS day_utc,  -- day, UTC
    effective_at,  -- instant it counts from, UTC
    source,  -- name of the source
    level,  -- first_party, press or discussion: of the source
    role,  -- report, mention or copy
    title,  -- plain text; empty: none given
    url,  -- address to open; NULL: none given
    item_id  -- which item
FROM story_items
ORDER BY story_id, effective_at DESC, item_id;

CREATE VIEW story_heat AS
-- Heat at full hours (UTC), kept for stories of two or more voices. After a story's last row its heat is zero.
SELECT
    heat.story_id,  -- which story
    heat.at,  -- full hour, UTC
    round(heat.heat, 1) AS heat,  -- points; 10 = one voice speaking right then
    heat.voices,  -- voices inside the window of the rule
    heat.new_reports,  -- reports counted in the hour that ends here
    heat.standing  -- observed, partial, rebuilt (from what feeds still listed at the first poll) or unknown (a gap)
FROM heat
ORDER BY heat.story_id, heat.at;

CREATE VIEW feed_health AS
-- How every feed is doing, the worst first.
SELECT
    source.id AS source,  -- id from feeds.yaml
    feed.url,  -- configured address, without secrets
    CASE
        WHEN feed.gone = 1 THEN 'gone'
        WHEN feed.enabled = 0 OR source.enabled = 0 THEN 'paused'
        WHEN feed.failures_in_row > 0 THEN 'failing'
        WHEN feed.last_success_at IS NULL THEN 'never polled'
        WHEN feed.restamp_strikes >= 2 THEN 'dates move'
        -- As docs/heat.md has it: three of its intervals, 90 minutes at the least.
        WHEN julianday('now') - julianday(feed.last_success_at) > max(3 * feed.interval_seconds, 5400) / 86400.0
            THEN 'behind'
        ELSE 'ok'
    END AS health,  -- gone, paused, failing, never polled, dates move, behind or ok
    feed.failures_in_row,  -- failed polls since the last success
    fetch.at AS last_poll_at,  -- instant, UTC; NULL: never polled
    fetch.outcome AS last_outcome,  -- updated, unchanged, not_modified or failed; NULL: never polled
    fetch.failure_message AS last_failure,  -- why the last poll failed, in words; NULL: it did not
    feed.last_success_at,  -- instant, UTC; NULL: none yet
    feed.next_poll_at  -- instant it is not asked before, UTC; NULL: at once, or never if it is gone
FROM feed
JOIN source ON source.id = feed.source_id
LEFT JOIN fetch ON fetch.id = (
    SELECT last.id FROM fetch AS last WHERE last.feed_id = feed.id ORDER BY last.at DESC, last.id DESC LIMIT 1
)
ORDER BY feed.failures_in_row DESC, source.id, feed.url;

CREATE VIEW poll_results AS
-- The answers of every reader poll and how often each was given, the newest poll first.
SELECT
    poll.id AS poll_id,  -- number of the poll
    poll.story_id,  -- the story's id when it was asked; `merge` says where that leads now
    poll.question,  -- plain text
    choice.value AS answer,  -- plain text
    (
        SELECT count(*)
        FROM poll_answer
        WHERE poll_answer.poll_id = poll.id AND poll_answer.answer = choice.key
    ) AS given,  -- browsers that gave it
    poll.asked_at,  -- instant, UTC
    poll.closed_at,  -- instant since when it takes no answers, UTC; NULL: it does
    poll.removed_at  -- instant since when it is not shown, UTC; NULL: it is
FROM poll
CROSS JOIN json_each(poll.answers) AS choice
ORDER BY poll.id DESC, choice.key;

CREATE VIEW selected_items AS
-- What bears the mark Selected, story by story, the oldest first: by hand, or by the rule of docs/evidence.md over all
-- that is stored.
SELECT
    story_id,  -- which story
    item_id,  -- which item
    title,  -- plain text; empty: none given
    source,  -- name of the source it belongs to
    effective_at,  -- instant it counts from, UTC
    CASE
        WHEN mark = 'selected' THEN 'selected by hand'
        WHEN place = 1 THEN 'it opened the story'
        WHEN speaks AND place_of_subject = 1 THEN 'the subject itself speaks, for the first time'
        ELSE 'it was the first to tell a confirmed development'
    END AS because,  -- in words, as `storyheat story -v` says it
    mark IS 'selected' AS by_hand  -- 1: a person selected it; 0: the rule did
FROM (
    -- Each window is one of a story alone, so that of one story no other is read.
    SELECT
        *,
        sum(counts) OVER (PARTITION BY story_id) AS reports,
        sum(counts) OVER (PARTITION BY story_id ORDER BY effective_at, weight, item_id DESC) AS place,
        sum(speaks) OVER (PARTITION BY story_id ORDER BY effective_at, weight, item_id DESC) AS place_of_subject,
        sum(confirmed) OVER (PARTITION BY story_id ORDER BY effective_at DESC, item_id DESC) AS place_from_newest
    FROM (
        SELECT
            story_items.*,
            source.weight,
            story_items.role = 'report' AND item.withdrawn_at IS NULL AND NOT item.backlog AS counts,
            source.level = 'first_party' AND bystander.item_id IS NULL
                AND story_items.role = 'report' AND item.withdrawn_at IS NULL AND NOT item.backlog AS speaks,
            coalesce(development.subject_item_id IS NOT NULL OR development.said_by <> '[]', 0) AS confirmed,
            (
                SELECT selection.mark
                FROM selection
                WHERE selection.item_id = story_items.item_id
                ORDER BY selection.id DESC
                LIMIT 1
            ) AS mark
        FROM story_items
        JOIN item ON item.id = story_items.item_id
        JOIN source ON source.id = item.source_id
        LEFT JOIN bystander ON bystander.story_id = story_items.story_id AND bystander.item_id = story_items.item_id
        LEFT JOIN development
            ON development.story_id = story_items.story_id AND development.item_id = story_items.item_id
    )
)
WHERE mark = 'selected' OR (
    mark IS NOT 'removed' AND counts AND reports >= 3
    AND (place = 1 OR (speaks AND place_of_subject = 1) OR (confirmed AND place_from_newest <= 5))
)
ORDER BY story_id, effective_at, item_id;
