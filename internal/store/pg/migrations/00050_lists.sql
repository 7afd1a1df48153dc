-- +goose Up

-- Search words keep versions whole. IDs are no longer words: see search_query.
DROP INDEX releases_search_index;
DROP INDEX flags_search_index;
DROP FUNCTION search_words(bigint, text[]);
DROP FUNCTION search_query(bigint, text);

-- +goose StatementBegin

-- The words of a record for a GIN index. Each begins with the project, so that the index finds the words of one project.
-- A version is a single word that ends with a dot, so that 2.4 begins 2.4.0 and does not begin 2.40.
-- ids begin with the sign by which search_query finds them: # a number, = a UUID, ~ a commit.
CREATE FUNCTION search_words(project bigint, ids text[], VARIADIC texts text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(coalesce(array_agg(DISTINCT project || ':' || left(word, 41)), '{}'))
    FROM (SELECT CASE WHEN part[1] LIKE '%.%' THEN ltrim(part[1], 'v') || '.' ELSE part[1] END AS word
        FROM unnest(texts) AS text, regexp_matches(lower(text), '(v?[0-9]+(?:\.[0-9]+)+|[[:alnum:]]+)', 'g') AS part
        UNION ALL SELECT lower(id) FROM unnest(ids) AS id WHERE id <> '') AS words
$$;

-- Finds records that have a word beginning with each word of a text. A word of at least eight hexadecimal characters also
-- finds UUIDs that begin with it, one of seven also finds commits, and #17 finds only the number 17. NULL, which finds
-- no record, for a text without words.
CREATE FUNCTION search_query(project bigint, searched text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT string_agg('(' || part || ')', ' & ')::tsquery FROM (
        SELECT CASE WHEN chunk ~ '^#[0-9]+$' THEN format('''%s:%s''', project, left(chunk, 41)) ELSE nullif(concat_ws(' | ',
            CASE WHEN chunk ~ '^[0-9a-f]{8}[0-9a-f-]*$' THEN format('''%s:=%s'':*', project, left(chunk, 40)) END,
            CASE WHEN chunk ~ '^[0-9a-f]{7,}$' THEN format('''%s:~%s'':*', project, left(chunk, 40)) END,
            (SELECT '(' || string_agg(format('''%s:%s'':*', project, left(word, 41)), ' & ') || ')'
                FROM (SELECT CASE WHEN part[1] LIKE '%.%' THEN ltrim(part[1], 'v') || '.' ELSE part[1] END AS word
                    FROM regexp_matches(chunk, '(v?[0-9]+(?:\.[0-9]+)+|[[:alnum:]]+)', 'g') AS part) AS words)), '') END AS part
        FROM regexp_split_to_table(lower(searched), '\s+') AS chunk WHERE chunk <> '') AS parts
$$;

-- +goose StatementEnd

CREATE INDEX releases_search_index ON releases USING gin (search_words(project_id, ARRAY['#' || id::text, '=' || update_uuid::text,
    '~' || git_commit_hash], release_message, runtime_version, git_branch)) WHERE deleted_at IS NULL;
CREATE INDEX flags_search_index ON flags USING gin (search_words(project_id, '{}', key, name, description));
CREATE INDEX branches_search_index ON branches USING gin (search_words(project_id, '{}', name)) WHERE deleted_at IS NULL;
CREATE INDEX channels_search_index ON channels USING gin (search_words(project_id, '{}', name));
CREATE INDEX segments_search_index ON segments USING gin (search_words(project_id, '{}', key, name, description));
CREATE INDEX rollout_policies_search_index ON rollout_policies USING gin (search_words(project_id, '{}', name, description, channel));

-- One for each order of a list that may have thousands of records. Others are sorted after they are read.
CREATE INDEX branches_sorted_index ON branches (project_id, lower(name), id) WHERE deleted_at IS NULL;
CREATE INDEX branches_created_index ON branches (project_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX channels_sorted_index ON channels (project_id, lower(name), id);
CREATE INDEX channels_created_index ON channels (project_id, created_at, id);
CREATE INDEX flags_sorted_index ON flags (project_id, lower(key), id);
CREATE INDEX flags_named_index ON flags (project_id, lower(name), id);
CREATE INDEX flags_created_index ON flags (project_id, created_at, id);
CREATE INDEX flags_updated_index ON flags (project_id, updated_at, id);
CREATE INDEX segments_sorted_index ON segments (project_id, lower(name), id);
CREATE INDEX segments_created_index ON segments (project_id, created_at, id);
CREATE INDEX rollout_policies_sorted_index ON rollout_policies (project_id, lower(name), id);
CREATE INDEX rollout_policies_created_index ON rollout_policies (project_id, created_at, id);
CREATE INDEX releases_created_index ON releases (project_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX rollout_executions_started_index ON rollout_executions (project_id, started_at, id);
