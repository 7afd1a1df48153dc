-- +goose Up

-- The user who made the invitation, even by an API key. It ends when the user is removed from the project. Null for older invitations and
-- for what no user made.
ALTER TABLE invitations ADD COLUMN made_by bigint;
