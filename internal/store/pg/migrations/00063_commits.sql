-- +goose Up

-- The web address of the app's repository, which links to commits begin with; '' for none.
ALTER TABLE projects ADD COLUMN repository_url text NOT NULL DEFAULT '' CHECK (repository_url = '' OR repository_url LIKE 'https://%');
-- The author of the commit, as the upload names them; '' for none.
ALTER TABLE builds ADD COLUMN git_author text NOT NULL DEFAULT '';
ALTER TABLE releases ADD COLUMN git_author text NOT NULL DEFAULT '';

DROP TRIGGER next_version ON projects;
CREATE TRIGGER next_version BEFORE UPDATE OF build_retention_days, telemetry_retention_days, hash_ids, trusted_networks, repository_url
    ON projects FOR EACH ROW EXECUTE FUNCTION next_version();
