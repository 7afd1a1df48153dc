-- As many channels as the project lacks of {channels}, each with a branch of its own.
INSERT INTO branches SELECT copy.* FROM branches b JOIN projects p ON p.id = b.project_id,
    generate_series(1, {channels} - (SELECT count(*) FROM channels c WHERE c.project_id = p.id)) i,
    jsonb_populate_record(b, jsonb_build_object('id', nextval('waft_ids'), 'name', 'branch-' || i)) copy
WHERE p.slug = $1 AND b.name = 'production';
INSERT INTO channels SELECT copy.* FROM channels c JOIN projects p ON p.id = c.project_id JOIN branches b ON b.project_id = p.id,
    jsonb_populate_record(c, jsonb_build_object(
        'id', nextval('waft_ids'), 'name', replace(b.name, 'branch', 'channel'), 'branch_id', b.id)) copy
WHERE p.slug = $1 AND c.name = 'production' AND b.name LIKE 'branch-%';
