-- +goose NO TRANSACTION
-- +goose Up
-- A page of rare events has each of them in another granule, and of each granule every
-- column is unpacked: with ZSTD that was much of what the page cost. LZ4 unpacks several
-- times as fast and packs these columns worse, by 3.5 bytes an event together. device_id
-- and flag_states stay as they are, since they would take 7 more.
ALTER TABLE health_events_v1
    MODIFY COLUMN received_at DateTime64(3, 'UTC') CODEC(Delta, LZ4),
    MODIFY COLUMN update_uuid String CODEC(LZ4),
    MODIFY COLUMN name String CODEC(LZ4),
    MODIFY COLUMN message String CODEC(LZ4),
    MODIFY COLUMN tags Map(LowCardinality(String), String) CODEC(LZ4);

-- A device's few events lie far apart, and each granule that seems to have one is read:
-- so the index tells of each granule alone, and errs in one of a thousand. For a text
-- that is nowhere the index is all that is read: here it is a quarter as long. 4 KiB for
-- two granules are enough for some ten thousand different pieces where texts have eight
-- letters or more, since all of a text's pieces must seem to be there.
ALTER TABLE health_events_v1
    DROP INDEX IF EXISTS device_index,
    DROP INDEX IF EXISTS text_index;

ALTER TABLE health_events_v1
    ADD INDEX IF NOT EXISTS device_index_v2 device_id TYPE bloom_filter(0.001) GRANULARITY 1,
    ADD INDEX IF NOT EXISTS text_index_v2
        lowerUTF8(concat(message, '\0', name, '\0', error_name)) TYPE ngrambf_v1(3, 4096, 3, 0) GRANULARITY 2;

-- For what is there already, in the background.
ALTER TABLE health_events_v1
    MATERIALIZE INDEX device_index_v2,
    MATERIALIZE INDEX text_index_v2;
