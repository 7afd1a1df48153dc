-- Clients add up evaluations by themselves, and so does the ingest log: a row for
-- each value and channel every few minutes, however many clients there are.
INSERT INTO flag_evaluations (project_id, flag_key, day, channel, value, evaluations, last_at)
SELECT {project}, 'new-checkout', toDate(at), channel, if(device % 5 = 0, 'true', 'false'), 20, at
FROM ({report})
WHERE turn % greatest(1, intDiv({reports}, 300)) = 0
SETTINGS max_threads = 1
