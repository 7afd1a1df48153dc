-- {releases} releases: every other one on production, the rest on the other branches in turn.
-- All are older than those that are there.
WITH oldest AS (
    SELECT r.id FROM releases r JOIN projects p ON p.id = r.project_id WHERE p.slug = $1 ORDER BY r.created_at LIMIT 1
), other AS (
    SELECT b.id, row_number() OVER (ORDER BY b.id) AS n FROM branches b JOIN projects p ON p.id = b.project_id
    WHERE p.slug = $1 AND b.name LIKE 'branch-%'
)
INSERT INTO releases SELECT copy.* FROM oldest JOIN releases r ON r.id = oldest.id,
    generate_series(1, {releases}) i JOIN other ON other.n = i / 2 % (SELECT count(*) FROM other) + 1,
    jsonb_populate_record(r, jsonb_build_object(
        'id', nextval('waft_ids'), 'update_uuid', gen_random_uuid(), 'group_id', gen_random_uuid(),
        'created_at', r.created_at - i * interval '1 ms',
        'branch_id', CASE WHEN i % 2 = 0 THEN r.branch_id ELSE other.id END)) copy;
