-- +goose Up
-- An approval stores an operation and its input, where it stored an HTTP request.
ALTER TABLE approvals
    ADD COLUMN input_version integer NOT NULL DEFAULT 0,
    ADD COLUMN input jsonb;

-- The requests stay to be read. Those that waited are asked for again.
UPDATE approvals SET input = jsonb_build_object('method', method, 'path', path, 'body', encode(body, 'escape'));
UPDATE approvals SET status = 'stale', ended_at = now(),
    error = 'Waft was updated while this call waited, and stores calls in another form now; make the call again'
WHERE status IN ('pending', 'approved');

ALTER TABLE approvals
    ALTER COLUMN input_version DROP DEFAULT,
    ALTER COLUMN input SET NOT NULL,
    DROP COLUMN method,
    DROP COLUMN path,
    DROP COLUMN body;
