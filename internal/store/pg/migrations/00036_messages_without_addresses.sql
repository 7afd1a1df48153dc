-- +goose Up

-- Messages about logins that an earlier version has stored may be sent again. They lose the IP address and the user agent. Postgres cannot
-- read a body with \u0000 as jsonb; Waft stores no such text.
UPDATE webhook_deliveries SET body = (body::jsonb #- '{data,details,address}' #- '{data,details,userAgent}')::text
WHERE event = 'session.created' AND body LIKE '{%"details"%}' AND body NOT LIKE '%\\u0000%';
