-- +goose Up

-- Answers to requests that their callers may send again. A row is written in the
-- transaction of the change that it answers, so either both are there or neither.
CREATE TABLE idempotency_keys (
    id           bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    -- NULL for requests about the installation, such as the creation of a project.
    project_id   bigint CONSTRAINT idempotency_keys_project_fkey REFERENCES projects (id),
    caller       text NOT NULL,
    path         text NOT NULL,
    key          text NOT NULL,
    -- SHA-256 of what was asked.
    fingerprint  bytea NOT NULL,
    status       integer NOT NULL,
    content_type text NOT NULL,
    -- Encrypted: an answer may hold a secret that is shown only once.
    answer       bytea NOT NULL,
    created_at   timestamptz NOT NULL,
    CONSTRAINT idempotency_keys_request_key UNIQUE NULLS NOT DISTINCT (project_id, caller, path, key),
    CONSTRAINT idempotency_keys_fingerprint_check CHECK (octet_length(fingerprint) = 32),
    -- A failure of the server is no answer to keep.
    CONSTRAINT idempotency_keys_status_check CHECK (status BETWEEN 200 AND 499)
);

-- Old answers are found, and dropped, by their age.
CREATE INDEX idempotency_keys_age_index ON idempotency_keys (created_at);
