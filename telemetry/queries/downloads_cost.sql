-- Maximum number of rows that downloads_exact.sql reads: all exposures of the releases that were served in the
-- window.
SELECT sum(served) AS exposures
FROM
(
    SELECT sum(downloads.serves) AS served
    FROM downloads
    WHERE project_id = {project_id:Int64}
        AND update_uuid != ''
    GROUP BY update_uuid
    HAVING max(day) >= toDate({from:DateTime('UTC')})
)
