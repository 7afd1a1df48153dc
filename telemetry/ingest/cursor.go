package ingest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/google/uuid"
)

// cursor says how far the log has been moved to ClickHouse.
type cursor struct {
	// Node is the log's identity, part of every insert token. A new log has another one:
	// its entry numbers begin again, and its tokens must differ from those of the old log.
	Node string `json:"node"`
	// Done is the last entry known to be inserted.
	Done uint64 `json:"done"`
	// To ends the range Done+1…To that is being inserted; Done when there is none.
	// It is durable before the insert begins, so the same range is tried until it
	// is known to be in.
	To uint64 `json:"to"`
}

func newCursor(done uint64) cursor {
	return cursor{Node: uuid.NewString(), Done: done, To: done}
}

// token names the range in flight to ClickHouse.
func (c cursor) token() string {
	return fmt.Sprintf("%s/%d-%d", c.Node, c.Done+1, c.To)
}

// loadCursor reads the cursor file; ok is false when there is none.
func loadCursor(path string) (c cursor, ok bool, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return cursor{}, false, nil
	}
	if err != nil {
		return cursor{}, false, fmt.Errorf("read cursor: %w", err)
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return cursor{}, false, fmt.Errorf("read cursor %s: %w", path, err)
	}
	if c.Node == "" || c.To < c.Done {
		return cursor{}, false, fmt.Errorf("read cursor %s: it is not valid: %s", path, text)
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
