-- A build and a release of each update of invented events: $2 are their ids, $3 their platforms and $4 their runtime
-- versions, the oldest first. They are of the branch that production points to, as do the channels named in $5.
-- What the project published before gets the newest runtime version, so that all its streams are those of events.
WITH base AS MATERIALIZED (
    SELECT r.*, p.id AS of FROM releases r JOIN projects p ON p.id = r.project_id JOIN branches b ON b.id = r.branch_id
    WHERE p.slug = $1 AND b.name = 'production'
), copies AS MATERIALIZED (
    SELECT u.*, nextval('waft_ids') AS build_id
    FROM unnest($2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY u(update_uuid, platform, runtime_version, n)
), made_builds AS (
    INSERT INTO builds SELECT (jsonb_populate_record(b, jsonb_build_object(
        'id', c.build_id, 'uuid', c.update_uuid, 'platform', c.platform, 'runtime_version', c.runtime_version))).*
    FROM builds b JOIN base ON b.id = base.build_id, copies c
), made_assets AS (
    INSERT INTO build_assets SELECT (jsonb_populate_record(a, jsonb_build_object('build_id', c.build_id))).*
    FROM build_assets a JOIN base ON a.build_id = base.build_id, copies c
), newer_builds AS (
    UPDATE builds SET runtime_version = $4[cardinality($4)] WHERE project_id = (SELECT max(of) FROM base)
), newer_releases AS (
    UPDATE releases SET runtime_version = $4[cardinality($4)] WHERE project_id = (SELECT max(of) FROM base)
), made_channels AS (
    INSERT INTO channels SELECT (jsonb_populate_record(c, jsonb_build_object('id', nextval('waft_ids'), 'name', other.name))).*
    FROM channels c JOIN base ON c.project_id = base.of, unnest($5::text[]) other(name) WHERE c.name = 'production'
)
INSERT INTO releases SELECT (jsonb_populate_record(r, jsonb_build_object(
    'id', nextval('waft_ids'), 'build_id', c.build_id, 'update_uuid', c.update_uuid, 'group_id', gen_random_uuid(),
    'platform', c.platform, 'runtime_version', c.runtime_version,
    'created_at', r.created_at - (1000 - c.n) * interval '1 s'))).*
FROM releases r JOIN base ON r.id = base.id, copies c
