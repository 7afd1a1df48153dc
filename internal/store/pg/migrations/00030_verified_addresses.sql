-- +goose Up

-- An account is verified once its person has proved the address. Until then the account belongs to the project whose invitation made it.
ALTER TABLE users
    ADD COLUMN email_verified  boolean NOT NULL DEFAULT true,
    -- No foreign key: the account stays when the project is deleted. Null for an account that no handed over link made.
    ADD COLUMN home_project_id bigint;

-- Of older accounts, those are not verified that one link may have made: of people who are neither owners nor known to an identity
-- provider, and whom one project at most has invited.
UPDATE users SET email_verified = false, home_project_id = (SELECT min(project_id) FROM members WHERE user_id = users.id)
WHERE NOT is_owner AND password_hash <> '' AND NOT EXISTS (SELECT FROM identities WHERE user_id = users.id)
    AND (SELECT count(*) FROM members WHERE user_id = users.id) <= 1;

ALTER TABLE users ALTER COLUMN email_verified SET DEFAULT false;

-- The link of a mailed invitation goes to the invited address only, so it proves the address.
ALTER TABLE invitations
    ADD COLUMN by_mail boolean NOT NULL DEFAULT false,
    ADD COLUMN sent_at timestamptz;

-- Mails that Waft sends or has sent, without their text and without tokens.
CREATE TABLE mails (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    kind       text NOT NULL CHECK (kind IN ('invitation', 'password_reset')),
    email_key  text NOT NULL CHECK (email_key <> ''),
    -- 0 for a mail that is of no project. No foreign keys: mails are counted after what they are about is gone.
    project_id bigint NOT NULL,
    subject_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    sent_at    timestamptz
);

CREATE INDEX mails_address_index ON mails (email_key, created_at);
CREATE INDEX mails_project_index ON mails (project_id, created_at);
CREATE INDEX mails_age_index ON mails (created_at);
