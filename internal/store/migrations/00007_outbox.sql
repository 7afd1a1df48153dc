-- +goose Up

CREATE TABLE outbox (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    -- No foreign key: deleting a project must not wait for a message in flight.
    project_id bigint NOT NULL,
    kind       text NOT NULL,
    payload    jsonb NOT NULL,
    -- The database's clock, which all relays share, says when a message is due.
    created_at timestamptz NOT NULL DEFAULT now(),
    attempts   integer NOT NULL DEFAULT 0,
    not_before timestamptz NOT NULL DEFAULT now(),
    last_error text NOT NULL DEFAULT '',
    CONSTRAINT outbox_kind_check CHECK (kind <> '')
);

CREATE INDEX outbox_due_index ON outbox (not_before, id);
