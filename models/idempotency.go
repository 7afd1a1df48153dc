package models

import "time"

// IdempotencyLife is how long the answer to a request is kept for a caller who
// sends it again.
const IdempotencyLife = 24 * time.Hour

// IdempotentRequest is a request that its caller may send again under the same
// key. The first four fields together name it.
type IdempotentRequest struct {
	// ProjectID is 0 for a request about the installation.
	ProjectID int64
	// Caller is the ID of the Actor.
	Caller string
	Path   string
	Key    string
	// Fingerprint is the SHA-256 of what was asked, 32 bytes.
	Fingerprint []byte
}

// IdempotentAnswer is what a request was answered with.
type IdempotentAnswer struct {
	// Status is an HTTP status. From 500 on the request counts as not answered.
	Status      int
	ContentType string
	// Body is encrypted.
	Body []byte
}
