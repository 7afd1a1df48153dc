package models

import (
	"encoding/json"
	"time"
)

// Nullable is a field of a patch: unchanged (Set is false), cleared (Value is nil) or set to a value.
type Nullable[T any] struct {
	Set   bool
	Value *T
}

// IsZero reports whether the field is unchanged, for the JSON option omitzero.
func (n Nullable[T]) IsZero() bool { return !n.Set }

// MarshalJSON returns the value as JSON, or null for a cleared field.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.Value) }

// UnmarshalJSON sets the field, which is present in the JSON.
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

// HistoryPage selects at most Limit entries with an ID above After and, unless Before is 0, below Before. The oldest entries are
// first unless NewestFirst is set.
type HistoryPage struct {
	Limit         int
	After, Before int64
	NewestFirst   bool
	// Total receives the number of entries on all pages, unless it is nil.
	Total *int64
}

// IdempotencyLife is how long the response to a request with an idempotency key is stored.
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

// IdempotentAnswer is the stored response to a request.
type IdempotentAnswer struct {
	Status      int
	ContentType string
	// Body is encrypted.
	Body []byte
}

// StatusClientClosed is nginx's HTTP status for a request whose client closed the connection before the response.
const StatusClientClosed = 499

// Final reports whether the response is final. After a failure of the server, or if the client disconnected early, the client may
// send the request again.
func (a IdempotentAnswer) Final() bool { return a.Status < 500 && a.Status != StatusClientClosed }
