package models

import (
	"encoding/json"
	"time"
)

// Nullable is a field of a patch: left alone (Set false), cleared (Value nil) or given a value.
type Nullable[T any] struct {
	Set   bool
	Value *T
}

// IsZero reports whether the field is left alone, for the JSON option omitzero.
func (n Nullable[T]) IsZero() bool { return !n.Set }

// MarshalJSON writes the value, or null for a field that is cleared.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.Value) }

// UnmarshalJSON reads a field that is present.
func (n *Nullable[T]) UnmarshalJSON(text []byte) error {
	n.Set, n.Value = true, nil
	if string(text) == "null" {
		return nil
	}
	n.Value = new(T)
	return json.Unmarshal(text, n.Value)
}

// Apply changes the field if n is set.
func (n Nullable[T]) Apply(field **T) {
	if n.Set {
		*field = n.Value
	}
}

// Assign sets the field unless value is nil.
func Assign[T any](field, value *T) {
	if value != nil {
		*field = *value
	}
}

// Page is a keyset page: at most Limit records with an id below Before (0: from the newest).
type Page struct {
	Limit  int
	Before int64
}

// HistoryPage is oldest first: at most Limit entries above After and, unless it is 0, below Before.
type HistoryPage struct {
	Limit         int
	After, Before int64
}

// IdempotencyLife is how long the answer to a request with an idempotency key is stored.
const IdempotencyLife = 24 * time.Hour

// IdempotentRequest is a request with an idempotency key. Its first four fields identify it.
type IdempotentRequest struct {
	// ProjectID is 0 for a request that concerns the installation.
	ProjectID int64
	// Caller is the ID of the Actor.
	Caller    string
	Path, Key string
	// Fingerprint is the SHA-256 of the request, 32 bytes.
	Fingerprint []byte
}

// IdempotentAnswer is the stored answer to a request.
type IdempotentAnswer struct {
	Status      int
	ContentType string
	// Body is encrypted.
	Body []byte
}

// StatusClientClosed is nginx's HTTP status of a request whose client closed the connection before it was answered.
const StatusClientClosed = 499

// Final reports whether the request counts as answered. After a failure of the server, and when the client
// left before, the request may be made again.
func (a IdempotentAnswer) Final() bool { return a.Status < 500 && a.Status != StatusClientClosed }
