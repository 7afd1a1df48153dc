// Package retry has the retryer that the Temporal server's S3 archiver makes.
package retry

// Standard retries nothing.
type Standard struct{}

func NewStandard() Standard { return Standard{} }

func (Standard) IsErrorRetryable(error) bool { return false }
