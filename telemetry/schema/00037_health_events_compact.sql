-- +goose NO TRANSACTION
-- +goose Up
-- A page of one device's events has a few in each of a dozen days. With a file for each
-- column some 400 are opened for it, and where the disk has to be asked each is a read of
-- its own: 157 ms, and 110 with parts of one file, in which a granule's columns lie side by
-- side. Other questions about events are no slower for it. It costs 1.7 bytes an event.
-- Parts of more than 256 MiB before compression, some million events, keep a file for each
-- column: to merge these is cheaper.
ALTER TABLE health_events_v2 MODIFY SETTING min_bytes_for_wide_part = 268435456;
