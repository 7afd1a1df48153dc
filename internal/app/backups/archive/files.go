package archive

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"time"
)

// File is a file of the asset bucket. Its lines are the content of the part Files.
type File struct {
	Key  string `json:"key"`
	Size int64  `json:"size"`
	// SHA256 names the content in files/. It is empty if the backup only lists the files.
	SHA256 string `json:"sha256,omitempty"`
	// ModTime is the time of the object in the bucket. Objects never change, so an object with the same key, time and size is not read
	// again.
	ModTime time.Time `json:"modTime"`
	Type    string    `json:"type,omitempty"`
}

// filesPart is the path of the list of files.
const filesPart = "files.jsonl.zst"

// WriteFiles writes the list of the bucket's files.
func (w *Writer) WriteFiles(files []File) (err error) {
	w.Files, err = w.Part(filesPart, "", nil, func(to io.Writer) (int64, error) {
		lines := json.NewEncoder(to)
		for _, f := range files {
			if err := lines.Encode(f); err != nil {
				return 0, err
			}
			w.FileBytes += f.Size
		}
		return int64(len(files)), nil
	})
	w.FileCount = int64(len(files))
	return err
}

// EachFile returns the list of the bucket's files. It ends after an error.
func (b Backup) EachFile() iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		r, err := b.Read(b.Files)
		if err != nil {
			yield(File{}, err)
			return
		}
		defer r.Close()
		lines := json.NewDecoder(bufio.NewReader(r))
		for {
			var f File
			err := lines.Decode(&f)
			if errors.Is(err, io.EOF) {
				return
			}
			if err == nil && f.SHA256 != "" && !isHash(f.SHA256) {
				err = damaged(b.Files, fmt.Errorf("the hash of the file %q is %q", f.Key, f.SHA256))
			}
			if !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// isHash reports whether a text is a SHA-256 in hex, and so a name of a content.
func isHash(text string) bool {
	sum, err := hex.DecodeString(text)
	return err == nil && len(sum) == sha256.Size
}

// ContentPath returns the path of the content with the SHA-256 in hex.
func (f Folder) ContentPath(sha256 string) string {
	return filepath.Join(f.contents(), sha256[:2], sha256)
}

// ContentPath returns the path of a file's content.
func (b Backup) ContentPath(f File) string { return b.folder.ContentPath(f.SHA256) }

// HasContent reports whether files/ has a content of the size.
func (f Folder) HasContent(sha256 string, size int64) bool {
	info, err := os.Stat(f.ContentPath(sha256))
	return err == nil && info.Size() == size
}

// AddContent copies content to files/ and returns its SHA-256 in hex and its size. The content appears there as a whole or not at all.
func (f Folder) AddContent(from io.Reader) (sha string, size int64, err error) {
	dir := f.contents()
	if err := os.MkdirAll(dir, folderMode); err != nil {
		return "", 0, fmt.Errorf("copy a file: %w", explained(err))
	}
	temporary, err := os.CreateTemp(dir, unfinished)
	if err != nil {
		return "", 0, fmt.Errorf("copy a file: %w", explained(err))
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(temporary.Name()))
		}
	}()
	sum := sha256.New()
	size, err = io.Copy(io.MultiWriter(temporary, sum), from)
	if err == nil {
		err = temporary.Sync()
	}
	if err = errors.Join(err, temporary.Close()); err != nil {
		return "", 0, fmt.Errorf("copy a file: %w", explained(err))
	}
	sha = hex.EncodeToString(sum.Sum(nil))
	path := f.ContentPath(sha)
	if err := os.MkdirAll(filepath.Dir(path), folderMode); err != nil {
		return "", 0, fmt.Errorf("copy a file: %w", explained(err))
	}
	if err := os.Rename(temporary.Name(), path); err != nil {
		return "", 0, fmt.Errorf("copy a file: %w", err)
	}
	return sha, size, errors.Join(syncFolder(filepath.Dir(path)), syncFolder(dir))
}
