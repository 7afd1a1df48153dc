-- +goose Up

-- Waft resolves an incident, or a person closes it. resolution is the reason.
ALTER TABLE incidents RENAME COLUMN closed_at TO resolved_at;
ALTER TABLE incidents RENAME CONSTRAINT incidents_closed_check TO incidents_resolved_check;
ALTER TABLE incidents
    ADD COLUMN resolution text CONSTRAINT incidents_resolution_check CHECK (resolution IN ('rolled_back', 'recovered', 'closed_by_person')),
    -- The first of the last checks in a row that found a normal rate.
    ADD COLUMN calm_at timestamptz,
    -- A time shortly before devices stopped getting the release.
    ADD COLUMN withdrawn_at timestamptz;
UPDATE incidents SET resolution = 'recovered' WHERE resolved_at IS NOT NULL;
ALTER TABLE incidents ADD CONSTRAINT incidents_ended_check CHECK ((resolved_at IS NULL) = (resolution IS NULL));

-- Few incidents are closed by people.
CREATE INDEX incidents_closed_index ON incidents (project_id, id) WHERE resolution = 'closed_by_person';

DROP TRIGGER next_version ON incidents;
CREATE TRIGGER next_version BEFORE UPDATE ON incidents FOR EACH ROW
    WHEN ((OLD.resolved_at, OLD.acknowledged_by, OLD.acknowledged_at, OLD.note)
        IS DISTINCT FROM (NEW.resolved_at, NEW.acknowledged_by, NEW.acknowledged_at, NEW.note))
    EXECUTE FUNCTION next_version();

-- incident.closed was the event of every end.
UPDATE webhooks SET events = events || '["incident.resolved"]' WHERE events ? 'incident.closed' AND NOT events ? 'incident.resolved';
