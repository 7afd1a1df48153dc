//go:build !linux

package clickhouse

import (
	"io"
	"os"
)

// rowFile holds rows for the engine to read.
type rowFile struct {
	*os.File
	path string
}

func newRowFile(rows io.Reader) (*rowFile, error) {
	file, err := os.CreateTemp("", "waft-rows-")
	if err != nil {
		return nil, err
	}
	if err := copyRows(file, rows); err != nil {
		file.Close()
		return nil, err
	}
	return &rowFile{File: file, path: file.Name()}, nil
}
