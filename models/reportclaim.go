package models

import "github.com/google/uuid"

// ReportClaim is one entry of an ingest log that asks to be the one that counts for
// a keyed report. The first to claim a report has it.
type ReportClaim struct {
	ReportID uuid.UUID
	// Node is the log's identity and Entry the entry's number in it, so that a log
	// that asks again gets the same answer.
	Node  uuid.UUID
	Entry int64
}
