package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// logLimit is the size in bytes above which a log is renamed when its process starts, or rotated while it runs.
const logLimit = 32 << 20

// RotateLogs bounds the logs of the processes in dir. It copies each log above 32 MB to NAME.log.1, which it replaces, and empties the log:
// the process keeps the file open and appends to it. Lines that it writes between both steps are lost.
func RotateLogs(dir string) error {
	logs, err := filepath.Glob(filepath.Join(dir, "log", "*.log"))
	if err != nil {
		return err
	}
	for _, path := range logs {
		info, statErr := os.Stat(path)
		if statErr == nil && info.Size() > logLimit {
			statErr = rotate(path)
		}
		if statErr != nil {
			err = errors.Join(err, fmt.Errorf("rotate %s: %w", path, statErr))
		}
	}
	return err
}

func rotate(path string) error {
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(path+".1", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	// Even if the disk is full, the log must not fill it further.
	return errors.Join(err, to.Close(), os.Truncate(path, 0))
}
