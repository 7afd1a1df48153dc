-- +goose Up

CREATE TABLE code_signing_keys (
    id                 bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    -- An app knows one certificate, so a project has one key.
    project_id         bigint NOT NULL CONSTRAINT code_signing_keys_project_fkey REFERENCES projects (id)
        CONSTRAINT code_signing_keys_project_key UNIQUE,
    key_id             text NOT NULL,
    certificate_pem    text NOT NULL,
    -- SHA-256 of the leaf certificate in hex, to compare with the one in the app.
    fingerprint        text NOT NULL,
    not_before         timestamptz NOT NULL,
    not_after          timestamptz NOT NULL,
    -- Encrypted under WAFT_SECRET_KEY.
    sealed_private_key text NOT NULL,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    CONSTRAINT code_signing_keys_key_id_check CHECK (key_id <> ''),
    CONSTRAINT code_signing_keys_fingerprint_check CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
    CONSTRAINT code_signing_keys_validity_check CHECK (not_before < not_after),
    CONSTRAINT code_signing_keys_sealed_check CHECK (sealed_private_key ~ '^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$')
);
