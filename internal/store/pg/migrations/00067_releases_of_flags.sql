-- +goose Up

-- Finds the newest releases that link a flag without reading the others.
CREATE INDEX release_flags_newest_index ON release_flags (flag_id, project_id, release_id);
DROP INDEX release_flags_flag_index;
