// Package iterator has the one error that the Temporal server's Google Cloud
// Storage archiver compares with. See package storage.
package iterator

import "errors"

// Done ends an iteration.
var Done = errors.New("no more items in iterator")
