-- +goose NO TRANSACTION
-- +goose Up
-- The things that happened in the app before an error or crash, oldest first: a JSON array as telemetry/breadcrumbs writes it. It is empty for
-- events without breadcrumbs, which are most of them.
ALTER TABLE health_events ADD COLUMN IF NOT EXISTS breadcrumbs String CODEC(ZSTD(3));
