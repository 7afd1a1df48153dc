INSERT INTO limited_devices (project_id, update_uuid, device_id, touched_at)
