-- +goose Up

-- Sign-ins that `waft login` has begun and a person confirms in the browser. A refused row is deleted
-- when its terminal polls. Other rows expire, and each new sign-in deletes up to 20 expired rows.
CREATE TABLE terminal_logins (
    id             bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    -- SHA-256 of the terminal's secret, which becomes the token of the session; the secret itself is never stored.
    token_hash     bytea NOT NULL CHECK (octet_length(token_hash) = 32),
    -- The code that the person compares.
    code           text NOT NULL,
    status         text NOT NULL CHECK (status IN ('pending', 'confirmed', 'refused')),
    -- The name that the terminal gives itself, and its address.
    name           text NOT NULL,
    address        text NOT NULL,
    -- Keyed hash of the terminal's network, 0 for a program on the server's own machine.
    network        bigint NOT NULL,
    -- The terminal must wait this number of seconds between two questions.
    poll_seconds   integer NOT NULL CHECK (poll_seconds > 0),
    polled_at      timestamptz,
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz NOT NULL,
    CONSTRAINT terminal_logins_token_key UNIQUE (token_hash),
    CONSTRAINT terminal_logins_code_key UNIQUE (code)
);

CREATE INDEX terminal_logins_network_index ON terminal_logins (network, expires_at);
CREATE INDEX terminal_logins_expires_index ON terminal_logins (expires_at);

ALTER TABLE sessions DROP CONSTRAINT sessions_method_check;
ALTER TABLE sessions ADD CONSTRAINT sessions_method_check
    CHECK (method IN ('password', 'oidc', 'passkey', 'setup', 'invitation', 'terminal'));
