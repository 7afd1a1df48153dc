package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
)

// Verify reads the whole backup: the hashes and sizes of all parts, the rows of the parts from Postgres, and the content of every file. Its
// error lists everything that is damaged or missing.
func (b Backup) Verify() error {
	var found []error
	for _, p := range b.Parts() {
		found = append(found, b.verifyPart(p))
	}
	if !b.FilesListed {
		found = append(found, b.verifyFiles()...)
	}
	return errors.Join(found...)
}

func (b Backup) verifyPart(p Part) error {
	r, err := b.Read(p)
	if err != nil {
		return err
	}
	defer r.Close()
	lines := &lineCounter{}
	if _, err := io.Copy(lines, r); err != nil {
		return err
	}
	if path.Ext(path.Base(p.Path[:len(p.Path)-len(path.Ext(p.Path))])) != ".native" && lines.n != p.Rows {
		return damaged(p, fmt.Errorf("it has %d rows instead of %d", lines.n, p.Rows))
	}
	return nil
}

// lineCounter counts lines. The text format of COPY and JSON lines have one row per line.
type lineCounter struct{ n int64 }

func (c *lineCounter) Write(p []byte) (int, error) {
	c.n += int64(bytes.Count(p, []byte{'\n'}))
	return len(p), nil
}

func (b Backup) verifyFiles() (found []error) {
	checked := map[string]error{}
	for f, err := range b.EachFile() {
		if err != nil {
			return append(found, err)
		}
		if _, known := checked[f.SHA256]; known {
			continue
		}
		checked[f.SHA256] = b.verifyFile(f)
		found = append(found, checked[f.SHA256])
	}
	return found
}

func (b Backup) verifyFile(f File) error {
	if f.SHA256 == "" {
		return fmt.Errorf("the list of the backup does not have the hash of the file %s", f.Key)
	}
	content, err := os.Open(b.ContentPath(f))
	if err != nil {
		return fmt.Errorf("the backup lacks the content of the file %s: %w", f.Key, err)
	}
	defer content.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return fmt.Errorf("the content of the file %s cannot be read: %w", f.Key, err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.SHA256 {
		return fmt.Errorf("the content of the file %s is damaged: the SHA-256 of %s is %s; replace it from another copy of the backups, or "+
			"delete it, so that the next backup copies the file again", f.Key, content.Name(), got)
	}
	return nil
}
