package backups

import (
	"io"

	"github.com/waft-ota/waft/internal/app/backups/archive"
)

// opener returns a function that opens a part of the backup.
func (r *restore) opener(p archive.Part) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return r.Read(p) }
}
