INSERT INTO flag_evaluations (project_id, flag_key, day, channel, value, evaluations, last_at)
