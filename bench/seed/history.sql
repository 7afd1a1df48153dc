-- {releases} releases, each with a build of its own in which one of the files is another.
WITH base AS MATERIALIZED (
    SELECT r.* FROM releases r JOIN projects p ON p.id = r.project_id WHERE p.slug = $1 ORDER BY r.created_at LIMIT 1
), copies AS MATERIALIZED (
    SELECT n, nextval('waft_ids') AS build_id, md5(gen_random_uuid()::text) AS bundle,
        translate(rtrim(encode(sha256(n::text::bytea), 'base64'), '='), '+/', '-_') AS sum
    FROM generate_series(1, {releases}) n
), made_blobs AS (
    INSERT INTO blobs (project_id, md5, sha256, size_bytes, sniffed_type, in_build, variants)
    SELECT base.project_id, bundle, sum, 1000, 'application/octet-stream', true, 'none' FROM copies, base
), made_builds AS (
    INSERT INTO builds SELECT (jsonb_populate_record(b, jsonb_build_object('id', c.build_id, 'uuid', gen_random_uuid()))).*
    FROM builds b JOIN base ON b.id = base.build_id, copies c
), made_assets AS (
    INSERT INTO build_assets SELECT (jsonb_populate_record(a, jsonb_build_object('build_id', c.build_id,
        'md5', CASE WHEN a.is_launch_asset THEN c.bundle ELSE a.md5 END,
        'sha256', CASE WHEN a.is_launch_asset THEN c.sum ELSE a.sha256 END))).*
    FROM build_assets a JOIN base ON a.build_id = base.build_id, copies c
)
INSERT INTO releases SELECT (jsonb_populate_record(r, jsonb_build_object(
    'id', nextval('waft_ids'), 'build_id', c.build_id, 'update_uuid', gen_random_uuid(), 'group_id', gen_random_uuid(),
    'created_at', r.created_at - c.n * interval '1 ms'))).*
FROM releases r JOIN base ON r.id = base.id, copies c;
