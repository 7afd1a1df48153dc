-- +goose Up

-- How many days events and reports of the project's devices are kept, at most as long
-- as ClickHouse keeps anybody's; NULL is that.
ALTER TABLE projects ADD COLUMN telemetry_retention_days integer
    CONSTRAINT projects_telemetry_retention_check CHECK (telemetry_retention_days BETWEEN 1 AND 365);

-- Whether telemetry knows the project's devices by a keyed hash of their ids. The
-- key, encrypted, is made when that is first wanted and stays: with another one
-- every device would be a new one.
ALTER TABLE projects ADD COLUMN hash_ids boolean NOT NULL DEFAULT false;
ALTER TABLE projects ADD COLUMN sealed_hash_key text;
ALTER TABLE projects ADD CONSTRAINT projects_hash_key_check CHECK (NOT hash_ids OR sealed_hash_key IS NOT NULL);
-- When what is older than telemetry_retention_days was last looked for.
ALTER TABLE projects ADD COLUMN telemetry_swept_at timestamptz;

-- Which log entry counts for a health report that its sender named, so that it may
-- send it again. Rows of yesterday are dropped by those that come.
CREATE TABLE report_claims (
    -- Made from project, device and name.
    report_id  uuid PRIMARY KEY,
    -- The log and the entry's number in it.
    node       uuid NOT NULL,
    entry      bigint NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX report_claims_age_index ON report_claims (claimed_at);

-- Devices whose data was asked to be deleted. Telemetry is not in one transaction
-- with this: reports may still be on their way then, so the deletion there is made
-- several times over a day, and the row stays for as long as a log may hold reports
-- from before.
CREATE TABLE device_erasures (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id bigint NOT NULL CONSTRAINT device_erasures_project_fkey REFERENCES projects (id),
    -- As telemetry knows the device: every id that it may be stored under.
    identities jsonb NOT NULL,
    erased_at  timestamptz NOT NULL DEFAULT now(),
    -- How many deletions were made, and when the next one is due; NULL after the last.
    passes     integer NOT NULL DEFAULT 0,
    next_at    timestamptz DEFAULT now(),
    CONSTRAINT device_erasures_identities_check CHECK (jsonb_typeof(identities) = 'array')
);

CREATE INDEX device_erasures_due_index ON device_erasures (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX device_erasures_age_index ON device_erasures (erased_at);
CREATE INDEX device_erasures_project_index ON device_erasures (project_id);
