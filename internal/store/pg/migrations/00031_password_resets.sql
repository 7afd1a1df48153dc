-- +goose Up

-- Links by which people who forgot their passwords set new ones. A link that was used, and any other of its account, has no row.
CREATE TABLE password_resets (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    user_id    bigint NOT NULL CONSTRAINT password_resets_user_fkey REFERENCES users (id),
    -- SHA-256 of the token in the link; null until the mail is sent.
    token_hash bytea CHECK (octet_length(token_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT password_resets_token_key UNIQUE (token_hash)
);

CREATE INDEX password_resets_user_index ON password_resets (user_id);
