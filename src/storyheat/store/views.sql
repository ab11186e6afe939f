CREATE VIEW story_items AS
-- Every item of every story as it stands now: the newest decision about the pair.
SELECT
    membership.story_id,
    membership.item_id,
    membership.role,
    item.title,
    item.url,
    source.name AS source,
    source.owner,
    source.level,
    item.published_at,
    item.first_seen_at,
    item.effective_at,
    item.effective_because,
    item.backlog,
    membership.decided_at,
    membership.decided_by,
    membership.because
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
    story.id AS story_id,
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
    ) AS title
FROM story
JOIN item AS founder ON founder.id = story.founding_item_id;

CREATE VIEW latest_developments AS
-- What became known, newest first, in every story. confirmed: 1 where the subject itself says it, or a second voice.
-- new_figures, new_words: JSON lists of what no earlier report had; empty for the first report of a story.
SELECT
    item.effective_at AS at,
    item.title,
    source.name AS source,
    development.subject_item_id IS NOT NULL OR development.said_by <> '[]' AS confirmed,
    development.figures AS new_figures,
    development.terms AS new_words,
    story_title.title AS story,
    development.story_id,
    development.item_id
FROM development
JOIN item ON item.id = development.item_id
JOIN source ON source.id = item.source_id
JOIN story_title ON story_title.story_id = development.story_id
ORDER BY item.effective_at DESC, development.story_id, development.item_id;

CREATE VIEW top_stories AS
-- The hot list as of the last run. Heat in points: 10 = one independent voice speaking right now.
-- change_24h is empty where it cannot be told; change_standing says why (young, unobserved, zero).
SELECT
    row_number() OVER (ORDER BY measure.heat DESC, measure.last_at DESC, measure.story_id) AS rank,
    round(measure.heat, 1) AS heat,
    CASE
        WHEN measure.change_percent IS NULL THEN ''
        WHEN round(measure.change_percent) = 0 THEN '0%'
        ELSE printf('%+d%%', round(measure.change_percent))
    END AS change_24h,
    measure.change_standing,
    round(measure.peak, 1) AS peak_7d,
    measure.peak_at,
    measure.voices,
    story_title.title,
    measure.story_id,
    measure.measured_at
FROM measure
JOIN story_title ON story_title.story_id = measure.story_id
ORDER BY rank;

CREATE VIEW story_timeline AS
-- The items of a story by day, newest first: WHERE story_id = '…'.
SELECT
    story_id,
    substr(effective_at, 1, 10) AS day_utc,
    effective_at,
    source,
    level,
    role,
    title,
    url,
    item_id
FROM story_items
ORDER BY story_id, effective_at DESC, item_id;

CREATE VIEW story_heat AS
-- Heat at full hours (UTC), kept for stories of two or more voices. After a story's last row its heat is zero.
-- standing: observed, partial, rebuilt (from what feeds still listed at the first poll) or unknown (a gap).
SELECT
    heat.story_id,
    heat.at,
    round(heat.heat, 1) AS heat,
    heat.voices,
    heat.new_reports,
    heat.standing
FROM heat
ORDER BY heat.story_id, heat.at;

CREATE VIEW feed_health AS
-- How every feed is doing, the worst first.
SELECT
    source.id AS source,
    feed.url,
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
    END AS health,
    feed.failures_in_row,
    fetch.at AS last_poll_at,
    fetch.outcome AS last_outcome,
    fetch.failure_message AS last_failure,
    feed.last_success_at,
    feed.next_poll_at
FROM feed
JOIN source ON source.id = feed.source_id
LEFT JOIN fetch ON fetch.id = (
    SELECT last.id FROM fetch AS last WHERE last.feed_id = feed.id ORDER BY last.at DESC, last.id DESC LIMIT 1
)
ORDER BY feed.failures_in_row DESC, source.id, feed.url;
