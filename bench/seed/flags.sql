-- 1,000 flags of the project.
INSERT INTO flags (project_id, key, name, description, flag_type, enabled, default_value, created_at, updated_at)
    SELECT p.id, 'flag-' || n, 'Flag ' || n, '', 'boolean', true, 'false', now(), now() FROM projects p, generate_series(1, 1000) n WHERE p.slug = $1;
INSERT INTO flag_variations (project_id, flag_id, name, value, position)
    SELECT f.project_id, f.id, v, CASE v WHEN 'On' THEN 'true' ELSE 'false' END, CASE v WHEN 'On' THEN 0 ELSE 1 END
    FROM flags f JOIN projects p ON p.id = f.project_id, unnest(ARRAY['On', 'Off']) v WHERE p.slug = $1;
UPDATE projects SET snapshot_version = snapshot_version + 1 WHERE slug = $1;
