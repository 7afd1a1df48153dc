-- +goose Up

-- The largest share of its devices to which a channel has ever offered a release, protected or not. A rollback, a disabled and a
-- deleted release wait for approvals only if they uncover a release that the channel has not offered.
CREATE TABLE channel_offers (
    project_id      bigint NOT NULL,
    channel_id      bigint NOT NULL,
    release_id      bigint NOT NULL,
    -- The release that release_id repeats, directly or by way of others.
    origin_id       bigint NOT NULL,
    platform        text NOT NULL,
    runtime_version text NOT NULL,
    percentage      double precision NOT NULL CHECK (percentage > 0 AND percentage <= 100),
    CONSTRAINT channel_offers_pkey PRIMARY KEY (channel_id, release_id),
    CONSTRAINT channel_offers_channel_fkey FOREIGN KEY (project_id, channel_id) REFERENCES channels (project_id, id) ON DELETE CASCADE,
    CONSTRAINT channel_offers_release_fkey FOREIGN KEY (project_id, release_id) REFERENCES releases (project_id, id)
);

CREATE INDEX channel_offers_origin_index ON channel_offers (channel_id, origin_id);
CREATE INDEX channel_offers_release_index ON channel_offers (project_id, release_id);

-- What a channel has offered so far is taken from its branches: the largest share that each release has reached there.
WITH RECURSIVE repeated AS (
    SELECT id, id AS origin_id FROM releases WHERE republished_from_id IS NULL
    UNION ALL
    SELECT releases.id, repeated.origin_id FROM releases JOIN repeated ON releases.republished_from_id = repeated.id)
INSERT INTO channel_offers (project_id, channel_id, release_id, origin_id, platform, runtime_version, percentage)
SELECT channels.project_id, channels.id, releases.id, repeated.origin_id, releases.platform, releases.runtime_version,
    releases.reached_percentage * CASE WHEN releases.branch_id = channels.branch_id THEN 1 ELSE channels.rollout_percentage / 100 END
FROM channels JOIN releases ON releases.branch_id IN (channels.branch_id, channels.rollout_branch_id) JOIN repeated ON repeated.id = releases.id
WHERE releases.kind = 'update' AND releases.reached_percentage > 0
    AND (releases.branch_id = channels.branch_id OR channels.rollout_percentage > 0);

-- The lists of releases that a call changes, each before the call and after it. A call that waits from an older version is asked for again.
ALTER TABLE approvals ADD COLUMN receives jsonb NOT NULL DEFAULT '[]';
ALTER TABLE approvals ALTER COLUMN receives DROP DEFAULT;

-- How often the execution of an approved call has failed, and since when.
ALTER TABLE approvals ADD COLUMN failures integer NOT NULL DEFAULT 0, ADD COLUMN failing_since timestamptz;
ALTER TABLE approvals DROP CONSTRAINT approvals_status_check;
ALTER TABLE approvals ADD CONSTRAINT approvals_status_check
    CHECK (status IN ('pending', 'approved', 'carried_out', 'stale', 'failed', 'rejected', 'expired'));

-- The user who created or last changed an entry does not approve what its keys ask for.
ALTER TABLE trusted_publishers ADD COLUMN made_by bigint;
