-- +goose Up

CREATE TABLE webhooks (
    id            bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id    bigint NOT NULL CONSTRAINT webhooks_project_fkey REFERENCES projects (id),
    url           text NOT NULL,
    description   text NOT NULL,
    events        jsonb NOT NULL,
    is_active     boolean NOT NULL,
    -- Encrypted under WAFT_SECRET_KEY: signing needs the secret itself, so a hash
    -- would not do.
    sealed_secret text NOT NULL,
    secret_hint   text NOT NULL,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    CONSTRAINT webhooks_tenant_key UNIQUE (project_id, id),
    CONSTRAINT webhooks_url_check CHECK (url ~ '^https?://'),
    CONSTRAINT webhooks_events_check CHECK (jsonb_typeof(events) = 'array' AND jsonb_array_length(events) > 0),
    -- A secret that was stored as it is would be a leak, so the form is checked.
    CONSTRAINT webhooks_sealed_secret_check CHECK (sealed_secret ~ '^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$')
);

CREATE TABLE webhook_deliveries (
    id              bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id      bigint NOT NULL,
    webhook_id      bigint NOT NULL,
    message_id      text NOT NULL,
    event           text NOT NULL,
    status          text NOT NULL,
    attempts        jsonb NOT NULL,
    next_attempt_at timestamptz,
    workflow_id     text NOT NULL,
    created_at      timestamptz NOT NULL,
    CONSTRAINT webhook_deliveries_webhook_fkey FOREIGN KEY (project_id, webhook_id) REFERENCES webhooks (project_id, id),
    CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
    CONSTRAINT webhook_deliveries_next_attempt_check CHECK (next_attempt_at IS NULL OR status = 'pending'),
    CONSTRAINT webhook_deliveries_attempts_check CHECK (jsonb_typeof(attempts) = 'array')
);

CREATE INDEX webhook_deliveries_webhook_index ON webhook_deliveries (webhook_id, id);
