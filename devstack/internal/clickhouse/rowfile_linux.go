package clickhouse

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// rowFile holds rows for the engine to read. It lives in memory and has no
// name, so that nothing of it stays behind when the process is killed.
type rowFile struct {
	*os.File
	path string
}

func newRowFile(rows io.Reader) (*rowFile, error) {
	fd, err := unix.MemfdCreate("rows", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(fd), "rows")
	if err := copyRows(file, rows); err != nil {
		file.Close()
		return nil, err
	}
	return &rowFile{File: file, path: fmt.Sprintf("/proc/self/fd/%d", fd)}, nil
}
