-- +goose Up

-- Restores of this installation from backups.
CREATE TABLE restores (
    id           bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    -- The name of the backup, as the restore printed it.
    source       text NOT NULL CHECK (source <> ''),
    -- The moment of the backup's state of Postgres.
    backed_up_at timestamptz NOT NULL,
    restored_at  timestamptz NOT NULL,
    -- The version of Waft that restored the backup.
    version      text NOT NULL,
    -- What the restore did and found, so that a repeated restore can print it again.
    report       jsonb NOT NULL CHECK (jsonb_typeof(report) = 'object'),
    CONSTRAINT restores_key UNIQUE (source, restored_at)
);

-- The newest restore that the project was part of; null for a project that was created since, or was never restored.
ALTER TABLE projects
    ADD COLUMN backed_up_at timestamptz,
    ADD COLUMN restored_at  timestamptz,
    ADD CONSTRAINT projects_restored_check CHECK ((backed_up_at IS NULL) = (restored_at IS NULL));
