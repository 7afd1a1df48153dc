package ingest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// cursor is the position up to which the log has been moved to ClickHouse.
type cursor struct {
	// Node is the identity of the log and part of every insert token. A new log gets a new identity: its entry
	// numbers start again, so its tokens must differ from the tokens of the old log.
	Node string `json:"node"`
	// Done is the number of the last entry known to be inserted.
	Done uint64 `json:"done"`
	// To is the end of the range Done+1…To that is being inserted, or equal to Done between inserts. It is durable
	// before the insert begins, so the same range is retried until it is known to be inserted.
	To uint64 `json:"to"`
}

// token returns the insert token of the current range.
func (c cursor) token() string {
	return fmt.Sprintf("%s/%d-%d", c.Node, c.Done+1, c.To)
}

// loadCursor reads the cursor file. ok is false if the file does not exist.
func loadCursor(path string) (c cursor, ok bool, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err == nil && (c.Node == "" || c.To < c.Done) {
		err = fmt.Errorf("invalid content: %s", text)
	}
	if err != nil {
		return c, false, fmt.Errorf("read cursor %s: %w", path, err)
	}
	return c, true, nil
}

func saveCursor(path string, c cursor) error {
	text, err := json.Marshal(c)
	if err == nil {
		err = replaceFile(path, append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("save cursor: %w", err)
	}
	return nil
}

// makeDir creates a folder. The folder survives a crash if its parent exists.
func makeDir(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	return syncDir(filepath.Dir(dir))
}

// replaceFile writes the content to path. After a crash the file has either the old or the new content. When it
// returns nil, the new content is on disk.
func replaceFile(path string, content []byte) error {
	next := path + ".next"
	f, err := os.OpenFile(next, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o640)
	if err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	if err := os.Rename(next, path); err != nil {
		return fmt.Errorf("replace file: %w", err)
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes the folder's list of files durable. Without it, a power failure may lose a synced file whose name is
// new.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	if err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	return nil
}
