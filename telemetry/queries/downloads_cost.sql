-- How many rows downloads_exact.sql would read at most: every serve there ever was of
-- the releases that were served in the window.
SELECT sum(served) AS serves
FROM
(
    SELECT sum(downloads.serves) AS served
    FROM downloads
    WHERE project_id = {project_id:Int64}
        AND update_uuid != ''
    GROUP BY update_uuid
    HAVING max(day) >= toDate({from:DateTime('UTC')})
)
