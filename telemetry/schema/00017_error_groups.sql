-- +goose NO TRANSACTION
-- +goose Up
-- Errors and crashes are also inserted into this table, for the views below. On health_events these views would run
-- over all other events too, which would make each insert slower. The table does not store rows.
CREATE TABLE IF NOT EXISTS error_events_in
(
    project_id  Int64,
    received_at DateTime64(3, 'UTC'),
    report_id   UUID,
    event_index UInt16,
    device_id   String,
    platform    LowCardinality(String),
    channel     LowCardinality(String),
    update_uuid String,
    type        LowCardinality(String),
    error_name  String,
    count       UInt32,
    flag_states Map(LowCardinality(String), LowCardinality(String)),
    fingerprint UInt64,
    culprit     String,
    title       String
)
ENGINE = Null;

-- Error groups over their lifetimes, by place of occurrence. A query about groups reads as many rows as there are
-- groups and releases, however many events there are.
CREATE TABLE IF NOT EXISTS error_groups
(
    project_id  Int64,
    fingerprint UInt64,
    -- '' for the embedded update.
    update_uuid String,
    platform    LowCardinality(String),
    channel     LowCardinality(String),
    -- The same in all rows of a group.
    type        SimpleAggregateFunction(any, LowCardinality(String)),
    error_name  SimpleAggregateFunction(any, String),
    culprit     SimpleAggregateFunction(any, String),
    -- The message of the first event without numbers and IDs. Later events do not change it.
    title       AggregateFunction(argMin, String, DateTime64(3, 'UTC')),
    first_at    SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    last_at     SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
ORDER BY (project_id, fingerprint, update_uuid, platform, channel)
TTL toDateTime(last_at) + INTERVAL 400 DAY
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS error_groups_mv TO error_groups AS
SELECT
    project_id, fingerprint, update_uuid, platform, channel,
    any(error_events_in.type)                          AS type,
    any(error_events_in.error_name)                    AS error_name,
    any(error_events_in.culprit)                       AS culprit,
    argMinState(error_events_in.title, received_at)    AS title,
    min(received_at)                                 AS first_at,
    max(received_at)                                 AS last_at
FROM error_events_in
GROUP BY project_id, fingerprint, update_uuid, platform, channel;

-- Events and devices of groups by hour and by day. Sketches are as in activity.
CREATE TABLE IF NOT EXISTS error_activity
(
    project_id  Int64,
    grain       Enum8('hour' = 2, 'day' = 3),
    -- 0: the columns update_uuid, channel and platform are ''. 7: these columns are set.
    dims        UInt8,
    -- Start of the hour or day.
    at          DateTime('UTC'),
    fingerprint UInt64,
    update_uuid String,
    channel     LowCardinality(String),
    platform    LowCardinality(String),
    -- Sum of the counts of the events, and number of events.
    events      SimpleAggregateFunction(sum, UInt64),
    occurrences SimpleAggregateFunction(sum, UInt64),
    devices     AggregateFunction(uniqCombined64(13), String)
)
ENGINE = AggregatingMergeTree
-- Hours and days share partitions: an insert creates a part for each partition, which costs the same however few
-- errors it contains. Merges therefore delete the old hours.
PARTITION BY toStartOfMonth(at)
ORDER BY (project_id, grain, dims, at, fingerprint, update_uuid, channel, platform)
TTL
    at + INTERVAL 31 DAY DELETE WHERE grain = 'hour',
    at + INTERVAL 400 DAY DELETE WHERE grain = 'day'
SETTINGS
    index_granularity = 256,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS error_activity_mv TO error_activity AS
SELECT
    project_id,
    CAST(part.2, 'Enum8(\'hour\' = 2, \'day\' = 3)') AS grain,
    part.1 AS dims,
    if(part.2 = 2, hour, toStartOfDay(hour))   AS at,
    fingerprint,
    if(part.1 = 7, detail.update_uuid, '') AS update_uuid,
    if(part.1 = 7, detail.channel, '')     AS channel,
    if(part.1 = 7, detail.platform, '')    AS platform,
    sum(detail.events)                   AS events,
    sum(detail.occurrences)              AS occurrences,
    uniqCombined64MergeState(13)(detail.devices) AS devices
FROM
(
    SELECT
        project_id, fingerprint, update_uuid, channel, platform,
        toStartOfHour(toDateTime(received_at, 'UTC')) AS hour,
        sum(error_events_in.count)           AS events,
        count()                            AS occurrences,
        uniqCombined64State(13)(device_id) AS devices
    FROM error_events_in
    GROUP BY project_id, fingerprint, update_uuid, channel, platform, hour
) AS detail
ARRAY JOIN [(0, 2), (0, 3), (7, 2), (7, 3)] AS part
GROUP BY project_id, grain, dims, at, fingerprint, update_uuid, channel, platform;

-- Groups by active flag variation and day. Sketches are as in flag_activity.
CREATE TABLE IF NOT EXISTS error_flags
(
    project_id  Int64,
    day         Date,
    fingerprint UInt64,
    flag_key    String,
    variation   String,
    events      SimpleAggregateFunction(sum, UInt64),
    devices     AggregateFunction(uniqCombined64(12), String)
)
ENGINE = AggregatingMergeTree
PARTITION BY toStartOfMonth(day)
ORDER BY (project_id, fingerprint, day, flag_key, variation)
TTL day + INTERVAL 120 DAY
SETTINGS
    ttl_only_drop_parts = 1,
    index_granularity = 256,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS error_flags_mv TO error_flags AS
SELECT
    project_id, day, fingerprint,
    state.1 AS flag_key,
    state.2 AS variation,
    sum(event.count) AS events,
    uniqCombined64State(12)(device_id) AS devices
FROM
(
    SELECT
        project_id, fingerprint, device_id, count,
        toDate(received_at) AS day,
        arrayJoin(arraySlice(arraySort(arrayFilter(
            s -> match(s.1, '^[a-z0-9][a-z0-9._-]{0,127}$'),
            arrayMap((k, v) -> (CAST(k, 'String'), substring(CAST(v, 'String'), 1, 256)), mapKeys(flag_states), mapValues(flag_states))
        )), 1, 100)) AS state
    FROM error_events_in
    WHERE notEmpty(flag_states)
) AS event
GROUP BY project_id, day, fingerprint, flag_key, variation;

-- Positions of the latest events of a group. Each event replaces the previous event in its slot, so a group has as
-- many rows as there are slots.
CREATE TABLE IF NOT EXISTS error_samples
(
    project_id  Int64,
    fingerprint UInt64,
    slot        UInt8,
    received_at DateTime64(3, 'UTC'),
    report_id   UUID,
    event_index UInt16,
    device_id   String
)
ENGINE = ReplacingMergeTree(received_at)
ORDER BY (project_id, fingerprint, slot)
TTL toDateTime(received_at) + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS error_samples_mv TO error_samples AS
SELECT
    project_id, fingerprint,
    toUInt8(cityHash64(report_id) % 16) AS slot,
    last.1 AS received_at,
    last.2 AS report_id,
    last.3 AS event_index,
    last.4 AS device_id
FROM
(
    SELECT
        project_id, fingerprint,
        max((error_events_in.received_at, error_events_in.report_id, error_events_in.event_index, error_events_in.device_id)) AS last
    FROM error_events_in
    GROUP BY project_id, fingerprint, cityHash64(error_events_in.report_id) % 16
);
