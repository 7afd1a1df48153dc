-- +goose Up

-- The networks from which an account has signed in. Failures from other networks do not delay a sign-in from these.
CREATE TABLE known_networks (
    user_id      bigint NOT NULL CONSTRAINT known_networks_user_fkey REFERENCES users (id) ON DELETE CASCADE,
    -- models.NetworkHash of an IPv4 /24 or IPv6 /48 under a key made from WAFT_SECRET_KEY; no address is stored.
    network      bigint NOT NULL,
    signed_in_at timestamptz NOT NULL,
    CONSTRAINT known_networks_pkey PRIMARY KEY (user_id, network)
);

CREATE INDEX known_networks_network_index ON known_networks (network, signed_in_at);
