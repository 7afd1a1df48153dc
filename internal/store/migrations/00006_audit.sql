-- +goose Up

CREATE TABLE audit_log (
    id          bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    -- No foreign key: the log outlives the project it speaks of.
    project_id  bigint NOT NULL,
    action      text NOT NULL,
    actor_type  text NOT NULL,
    actor_id    text NOT NULL,
    actor_name  text NOT NULL,
    entity_type text NOT NULL,
    entity_id   text NOT NULL,
    details     jsonb NOT NULL,
    request_id  text NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT audit_log_actor_type_check CHECK (actor_type IN ('api_key', 'user', 'system')),
    CONSTRAINT audit_log_details_check CHECK (jsonb_typeof(details) = 'object')
);

CREATE INDEX audit_log_project_index ON audit_log (project_id, id);
CREATE INDEX audit_log_entity_index ON audit_log (project_id, entity_type, entity_id, id);

-- Entries are written once and never touched again, whoever connects.
-- +goose StatementBegin
CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only: % is refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
-- +goose StatementEnd

CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();
