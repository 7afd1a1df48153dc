-- +goose Up

-- Finds the newest releases of a build without reading the others.
CREATE INDEX releases_build_newest_index ON releases (build_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
