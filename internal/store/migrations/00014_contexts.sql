-- +goose Up

CREATE TABLE contexts (
    id               bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id       bigint NOT NULL CONSTRAINT contexts_project_fkey REFERENCES projects (id),
    kind             text NOT NULL,
    targeting_key    text NOT NULL,
    name             text NOT NULL,
    attributes       jsonb NOT NULL,
    first_seen_at    timestamptz NOT NULL,
    last_seen_at     timestamptz NOT NULL,
    evaluation_count bigint NOT NULL,
    CONSTRAINT contexts_key_key UNIQUE (project_id, kind, targeting_key),
    CONSTRAINT contexts_kind_check CHECK (kind IN ('user', 'device', 'organization', 'service', 'environment')),
    CONSTRAINT contexts_targeting_key_check CHECK (targeting_key <> ''),
    CONSTRAINT contexts_attributes_check CHECK (jsonb_typeof(attributes) = 'object'),
    CONSTRAINT contexts_seen_check CHECK (last_seen_at >= first_seen_at),
    CONSTRAINT contexts_evaluation_count_check CHECK (evaluation_count >= 0)
);

CREATE INDEX contexts_project_index ON contexts (project_id, id);
CREATE INDEX contexts_kind_index ON contexts (project_id, kind, id);
-- Finds the ones to drop when a project has too many.
CREATE INDEX contexts_seen_index ON contexts (project_id, last_seen_at, id);
