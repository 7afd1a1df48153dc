INSERT INTO limited_devices_v1 (project_id, update_uuid, device_id, touched_at)
