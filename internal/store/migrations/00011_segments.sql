-- +goose Up

CREATE TABLE segments (
    id          bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id  bigint NOT NULL CONSTRAINT segments_project_fkey REFERENCES projects (id),
    key         text NOT NULL,
    name        text NOT NULL,
    description text NOT NULL,
    match_type  text NOT NULL,
    conditions  jsonb NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT segments_tenant_key UNIQUE (project_id, id),
    CONSTRAINT segments_key_key UNIQUE (project_id, key),
    CONSTRAINT segments_key_check CHECK (key ~ '^[a-z0-9][a-z0-9._-]{0,127}$'),
    CONSTRAINT segments_name_check CHECK (name <> ''),
    CONSTRAINT segments_match_type_check CHECK (match_type IN ('all', 'any')),
    -- One without conditions would hold everybody, or nobody.
    CONSTRAINT segments_conditions_check CHECK (jsonb_typeof(conditions) = 'array' AND jsonb_array_length(conditions) > 0)
);

-- A rule refers to its segment by id, so that none outlives its segment.
ALTER TABLE flag_rules
    ADD COLUMN segment_id bigint,
    ADD CONSTRAINT flag_rules_segment_fkey FOREIGN KEY (project_id, segment_id) REFERENCES segments (project_id, id),
    ADD CONSTRAINT flag_rules_segment_check CHECK ((segment_id IS NOT NULL) = (rule_type = 'segment'));

CREATE INDEX flag_rules_segment_index ON flag_rules (segment_id) WHERE segment_id IS NOT NULL;
