-- +goose Up

-- Spikes of errors, one row from when it was found to when it was over, and after.
CREATE TABLE incidents (
    id                       bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id               bigint NOT NULL CONSTRAINT incidents_project_fkey REFERENCES projects (id),
    -- '' for the bundle inside the app. No reference to a release: what devices say
    -- they run may be none.
    update_uuid              text NOT NULL,
    channel                  text NOT NULL,
    platform                 text NOT NULL,
    runtime_version          text NOT NULL,
    flag_key                 text,
    flag_variation           text,
    -- Of the hour before checked_at.
    devices                  bigint NOT NULL,
    errored_devices          bigint NOT NULL,
    crashed_devices          bigint NOT NULL,
    peak_errored_devices     bigint NOT NULL,
    -- Of the 24 hours before opened_at, added up over the hours.
    baseline_devices         bigint NOT NULL,
    baseline_errored_devices bigint NOT NULL,
    opened_at                timestamptz NOT NULL,
    checked_at               timestamptz NOT NULL,
    closed_at                timestamptz,
    CONSTRAINT incidents_flag_check CHECK ((flag_key IS NULL) = (flag_variation IS NULL)),
    CONSTRAINT incidents_closed_check CHECK (closed_at >= opened_at),
    CONSTRAINT incidents_devices_check CHECK (crashed_devices <= errored_devices AND errored_devices <= devices)
);

-- Several processes look at the same time; one of them opens it.
CREATE UNIQUE INDEX incidents_open_key ON incidents (project_id, update_uuid, channel, platform, runtime_version)
    WHERE closed_at IS NULL;
CREATE INDEX incidents_project_index ON incidents (project_id, id);
