-- +goose Up

-- The root key that an installation without WAFT_ROOT_KEY made for itself: one row
-- at the most, so that two servers starting for the first time agree on one key.
CREATE TABLE root_key (
    only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    created_at  timestamptz NOT NULL DEFAULT now()
);
