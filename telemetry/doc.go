// Package telemetry keeps what devices report: a log on local disk that makes a
// report durable before it is acknowledged (Ingest), the ClickHouse schema and
// inserts behind it, and the queries that answer with models summaries.
//
// A report travels Append → log (fsync) → Run → InsertReports. Run moves fixed
// ranges of the log under a deduplication token, so that whatever dies in
// between, a report is stored exactly once.
package telemetry
