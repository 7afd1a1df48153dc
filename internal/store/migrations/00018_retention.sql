-- +goose Up

-- How many days a build is kept that no release needs; NULL keeps it for ever.
ALTER TABLE projects ADD COLUMN build_retention_days integer DEFAULT 90
    CONSTRAINT projects_build_retention_check CHECK (build_retention_days BETWEEN 1 AND 3650);

-- The contents that an upload counts on until its build is recorded, whether the
-- asset store had them or the upload puts them there: garbage collection leaves
-- them alone. A hold that has run out belongs to an upload that failed.
CREATE TABLE blob_holds (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id bigint NOT NULL CONSTRAINT blob_holds_project_fkey REFERENCES projects (id),
    md5s       jsonb NOT NULL,
    -- The database's clock, which all processes share.
    expires_at timestamptz NOT NULL,
    CONSTRAINT blob_holds_md5s_check CHECK (jsonb_typeof(md5s) = 'array')
);

CREATE INDEX blob_holds_project_index ON blob_holds (project_id);

-- Contents that are to go from the asset store: no build needs them, and no row of
-- blobs speaks of them any more. Whoever removes one locks its row meanwhile;
-- whoever needs it after all deletes the row, or waits and uploads it anew.
CREATE TABLE blob_removals (
    project_id bigint NOT NULL CONSTRAINT blob_removals_project_fkey REFERENCES projects (id),
    md5        text NOT NULL,
    PRIMARY KEY (project_id, md5)
);
