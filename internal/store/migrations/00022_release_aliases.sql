-- +goose Up

-- The place of a release among those of its branch, where that is not created_at:
-- what takes the place of a reverted release stands where that one stood, behind
-- those that were newer than it.
ALTER TABLE releases ADD COLUMN place_at timestamptz
    CONSTRAINT releases_place_check CHECK (place_at <= created_at);

CREATE INDEX releases_place_index ON releases
    (branch_id, platform, runtime_version, coalesce(place_at, created_at), created_at) WHERE deleted_at IS NULL;

-- Other names and commit times of releases. Rows are never changed.
CREATE TABLE release_aliases (
    update_uuid   uuid NOT NULL CONSTRAINT release_aliases_pkey PRIMARY KEY,
    project_id    bigint NOT NULL CONSTRAINT release_aliases_project_fkey REFERENCES projects (id),
    release_id    bigint NOT NULL,
    original_uuid uuid NOT NULL,
    rollback_id   bigint NOT NULL,
    created_at    timestamptz NOT NULL,
    CONSTRAINT release_aliases_release_fkey FOREIGN KEY (project_id, release_id) REFERENCES releases (project_id, id),
    CONSTRAINT release_aliases_rollback_fkey FOREIGN KEY (project_id, rollback_id) REFERENCES releases (project_id, id),
    CONSTRAINT release_aliases_created_at_key UNIQUE (project_id, created_at),
    CONSTRAINT release_aliases_created_at_check CHECK (extract(microseconds FROM created_at)::bigint % 1000 = 0)
);

CREATE INDEX release_aliases_release_index ON release_aliases (release_id, created_at);
CREATE INDEX release_aliases_rollback_index ON release_aliases (rollback_id);

CALL follow_in_snapshots('release_aliases', 'release_aliases', 'update_uuid::text');

-- What earlier rollbacks to the embedded update keep from devices. Where there is
-- one such release, all newer ones of its platform and runtime version follow it,
-- so that the order of commit times stays that of the releases.
WITH rollbacks AS (
    SELECT DISTINCT ON (project_id, platform, runtime_version) id, project_id, platform, runtime_version, created_at
    FROM releases WHERE kind = 'rollback_to_embedded'
    ORDER BY project_id, platform, runtime_version, created_at DESC
), shadowed AS (
    SELECT r.id, r.project_id, r.update_uuid, b.id AS rollback_id,
        row_number() OVER (PARTITION BY r.project_id ORDER BY r.created_at) AS tick
    FROM releases r
    JOIN rollbacks b USING (project_id, platform, runtime_version)
    WHERE r.kind = 'update' AND r.deleted_at IS NULL AND EXISTS (
        SELECT FROM releases o
        WHERE o.project_id = r.project_id AND o.platform = r.platform AND o.runtime_version = r.runtime_version
            AND o.kind = 'update' AND o.deleted_at IS NULL AND o.created_at < b.created_at AND o.created_at <= r.created_at)
), stamped AS (
    INSERT INTO release_aliases (update_uuid, project_id, release_id, original_uuid, rollback_id, created_at)
    SELECT gen_random_uuid(), s.project_id, s.id, s.update_uuid, s.rollback_id,
        to_timestamp(0) + (p.last_release_millis + s.tick) * interval '1 millisecond'
    FROM shadowed s JOIN projects p ON p.id = s.project_id
    RETURNING project_id
)
UPDATE projects p SET last_release_millis = p.last_release_millis + n.stamped, snapshot_version = p.snapshot_version + 1
FROM (SELECT project_id, count(*) AS stamped FROM stamped GROUP BY project_id) n WHERE n.project_id = p.id;
