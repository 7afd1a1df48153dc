INSERT INTO flag_evaluations_v1 (project_id, flag_key, day, channel, value, evaluations, last_at)
