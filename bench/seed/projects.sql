-- Three releases of eleven files each for every project whose slug begins with $1: on two runtime versions of production
-- and on staging. Each release has its own launch asset and shares the other files.
INSERT INTO blobs (project_id, md5, sha256, size_bytes, sniffed_type, in_build, variants)
    SELECT p.id, md5(p.id || '/' || f), rpad(md5(p.id || '/' || f), 43, 'A'), 100000, 'application/octet-stream', true, 'none' FROM projects p, generate_series(1, 13) f WHERE p.slug LIKE $1 || '%';
INSERT INTO builds (project_id, uuid, platform, runtime_version, message, client_config, git_commit_hash, git_branch, status, asset_count,
        size_bytes, new_asset_count, new_bytes, created_at)
    SELECT p.id, gen_random_uuid(), 'ios', CASE n WHEN 2 THEN '2.0.0' ELSE '1.0.0' END, n::text, '{"name": "app", "slug": "app", "version": "1.0.0"}',
        '', '', 'published', 11, 1100000, 11, 1100000, now()
    FROM projects p, generate_series(1, 3) n WHERE p.slug LIKE $1 || '%';
INSERT INTO build_assets (build_id, project_id, path, md5, sha256, content_type, file_extension, size_bytes, is_launch_asset)
    SELECT b.id, b.project_id, CASE WHEN f <= 3 THEN 'index.hbc' ELSE 'assets/images/picture-' || f || '.png' END, md5(b.project_id || '/' || f),
        repeat('A', 43), CASE WHEN f <= 3 THEN 'application/javascript' ELSE 'image/png' END, CASE WHEN f <= 3 THEN '.bundle' ELSE '.png' END,
        100000, f <= 3
    FROM builds b JOIN projects p ON p.id = b.project_id, generate_series(1, 13) f WHERE p.slug LIKE $1 || '%' AND (f > 3 OR f::text = b.message);
INSERT INTO releases (project_id, update_uuid, group_id, build_id, branch_id, channel, platform, runtime_version, is_enabled, is_critical,
        rollout_percentage, reached_percentage, share_salt, release_message, kind, rolled_back_update_ids, git_commit_hash, git_branch,
        asset_count, size_bytes, created_at, updated_at)
    SELECT b.project_id, gen_random_uuid(), gen_random_uuid(), b.id, t.id, t.name, 'ios', b.runtime_version, true, false, 100, 100, '',
        'A release', 'update', '[]', '', '', 11, 1100000, timestamptz '2026-01-01Z' + b.message::int * interval '1 s', now()
    FROM builds b JOIN projects p ON p.id = b.project_id
        JOIN branches t ON t.project_id = b.project_id AND t.name = CASE b.message WHEN '3' THEN 'staging' ELSE 'production' END
    WHERE p.slug LIKE $1 || '%';
UPDATE projects SET snapshot_version = snapshot_version + 1, last_release_millis = 1767225610000 WHERE slug LIKE $1 || '%';
DELETE FROM snapshot_changes WHERE project_id IN (SELECT id FROM projects WHERE slug LIKE $1 || '%');
