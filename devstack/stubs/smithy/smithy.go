// Package smithy has the error that the Temporal server's S3 archiver compares
// with.
package smithy

// APIError is an error in a service's response.
type APIError interface {
	error
	ErrorCode() string
}
