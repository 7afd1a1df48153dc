// Package option has the options that the Temporal server passes to the Google
// Cloud Storage client. See package storage.
package option

import "golang.org/x/oauth2"

// ClientOption is an option of a client that is never made.
type ClientOption any

// WithTokenSource returns an option that has no effect.
func WithTokenSource(oauth2.TokenSource) ClientOption { return nil }
