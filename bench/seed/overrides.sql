-- {overrides} user overrides.
INSERT INTO user_overrides (project_id, user_id, branch_id, note, created_at)
SELECT p.id, 'user-' || n, b.id, '', now() FROM projects p JOIN branches b ON b.project_id = p.id AND b.name = 'staging',
    generate_series(1, {overrides}) n
WHERE p.slug = $1;
