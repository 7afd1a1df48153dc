-- +goose Up

-- The audit log is read by any of its filters, newest first; entry ids are the
-- order, so each filter's index ends in them. Record ids are unique over all kinds
-- of records, so an id alone finds as few entries as an id with its kind.
CREATE INDEX audit_log_action_index ON audit_log (project_id, action, id);
CREATE INDEX audit_log_kind_index ON audit_log (project_id, entity_type, id);
CREATE INDEX audit_log_record_index ON audit_log (project_id, entity_id, id);
DROP INDEX audit_log_entity_index;

-- A release's history names the rollback that took it back.
CREATE INDEX releases_rolled_back_index ON releases USING gin (rolled_back_update_ids jsonb_path_ops);

-- A policy stays as it is while a rollout runs by it. Whoever starts a rollout
-- holds the policy until the end of the transaction, so that neither can pass the
-- other unseen.
-- +goose StatementBegin
CREATE FUNCTION rollout_executions_hold_policy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM rollout_policies WHERE id = NEW.policy_id FOR SHARE;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER rollout_executions_hold_policy BEFORE INSERT ON rollout_executions
    FOR EACH ROW EXECUTE FUNCTION rollout_executions_hold_policy();

-- +goose StatementBegin
CREATE FUNCTION rollout_policies_locked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM rollout_executions WHERE policy_id = OLD.id AND status IN ('running', 'paused')) THEN
        RAISE EXCEPTION 'rollouts run by policy %', OLD.id
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'rollout_policies_locked_check';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER rollout_policies_locked BEFORE UPDATE OR DELETE ON rollout_policies
    FOR EACH ROW EXECUTE FUNCTION rollout_policies_locked();
