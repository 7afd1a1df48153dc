-- +goose Up

-- Each publish with linked flags counts those of the project.
CREATE INDEX release_flags_project_index ON release_flags (project_id, release_id);
