package client

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/base/backoff"
)

const (
	// sentTogether is how many files are sent at the same time.
	sentTogether = 4
	// maxTries is how often a file is tried without progress.
	maxTries = 6
)

var betweenTries = backoff.Policy{Min: 200 * time.Millisecond, Max: 5 * time.Second}

// Transfer counts the files and bytes of an export that were sent, each content once.
type Transfer struct {
	Files, SentFiles int
	// In bytes.
	Bytes, SentBytes int64
}

// exportFile is a file of an export by its content.
type exportFile struct {
	name, path, sha256 string
	size               int64
}

// hashFile reads a file of the export once.
func (e Export) hashFile(name string) (f exportFile, err error) {
	f = exportFile{name: name, path: filepath.Join(e.Dir, filepath.FromSlash(name))}
	from, err := os.Open(f.path)
	if err != nil {
		return f, err
	}
	defer from.Close()
	sum := sha256.New()
	if f.size, err = io.Copy(sum, from); err != nil {
		return f, err
	}
	f.sha256 = base64.RawURLEncoding.EncodeToString(sum.Sum(nil))
	return f, nil
}

// sendMissing sends the files that the project does not have. It does not repeat bytes that the server already has, even if the
// connection breaks.
func (w *Waft) sendMissing(ctx context.Context, files []exportFile) (t Transfer, err error) {
	byContent := make(map[string]exportFile, len(files))
	check := CheckFilesBody{Files: []CheckedFile{}}
	for _, f := range files {
		if _, twice := byContent[f.sha256]; !twice {
			byContent[f.sha256] = f
			check.Files = append(check.Files, CheckedFile{Sha256: f.sha256, SizeBytes: f.size})
			t.Files++
			t.Bytes += f.size
		}
	}
	res, err := w.CheckFilesWithResponse(ctx, &CheckFilesParams{}, check)
	if err != nil {
		return t, err
	}
	answer, err := expect(res.JSON200, res.HTTPResponse)
	if err != nil {
		return t, err
	}
	sending, ctx := errgroup.WithContext(ctx)
	sending.SetLimit(sentTogether)
	for _, sum := range answer.Missing {
		f, known := byContent[sum]
		if !known {
			return t, fmt.Errorf("the server asks for the file %s, which the export does not have", sum)
		}
		t.SentFiles++
		t.SentBytes += f.size
		sending.Go(func() error {
			if err := w.sendFile(ctx, f); err != nil {
				return fmt.Errorf("sending %s: %w", f.name, err)
			}
			return nil
		})
	}
	return t, sending.Wait()
}

// sendFile sends a file, after a failure from where the server has it.
func (w *Waft) sendFile(ctx context.Context, f exportFile) error {
	at := int64(0)
	for tries := 1; ; tries++ {
		err := w.sendFrom(ctx, f, at)
		if err == nil || !worthAnotherTry(err) || tries == maxTries {
			return err
		}
		pause := betweenTries.After(tries)
		var refused *Error
		if errors.As(err, &refused) {
			pause = max(pause, refused.RetryAfter)
		}
		if err := backoff.Sleep(ctx, pause); err != nil {
			return err
		}
		has, complete, asked := w.progress(ctx, f)
		switch {
		case asked != nil:
			// The next try finds out.
		case complete:
			return nil
		case has != at:
			at, tries = has, 0
		}
	}
}

// worthAnotherTry reports whether the same file may be taken later: the connection broke, the server is busy or away, or has
// other bytes of the file than was thought.
func worthAnotherTry(err error) bool {
	var refused *Error
	if !errors.As(err, &refused) {
		return !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, os.ErrNotExist)
	}
	switch refused.Status {
	case http.StatusTooManyRequests, http.StatusRequestedRangeNotSatisfiable:
		return true
	}
	return refused.Status >= http.StatusInternalServerError
}

// sendFrom sends the file's bytes from an offset on.
func (w *Waft) sendFrom(ctx context.Context, f exportFile, at int64) error {
	from, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer from.Close()
	params := &PutFileParams{}
	if at > 0 {
		span := fmt.Sprintf("bytes %d-%d/%d", at, f.size-1, f.size)
		params.ContentRange = &span
	}
	body := io.NewSectionReader(from, at, f.size-at)
	_, err = w.PutFileWithBodyWithResponse(ctx, f.sha256, params, "application/octet-stream", body,
		func(_ context.Context, req *http.Request) error {
			req.ContentLength = f.size - at
			if req.ContentLength == 0 {
				req.Body = http.NoBody // else 0 stands for an unknown length
			}
			return nil
		})
	return err
}

// progress asks how much of a file the server has.
func (w *Waft) progress(ctx context.Context, f exportFile) (has int64, complete bool, err error) {
	res, err := w.HeadFileWithResponse(ctx, f.sha256, &HeadFileParams{})
	var refused *Error
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusNotFound:
		return 0, false, nil
	case err != nil:
		return 0, false, err
	}
	header := res.HTTPResponse.Header
	if header.Get("Upload-Complete") == "?1" {
		return f.size, true, nil
	}
	offset, parseErr := strconv.ParseInt(header.Get("Upload-Offset"), 10, 64)
	usable := parseErr == nil && offset >= 0 && offset < f.size && header.Get("Upload-Length") == strconv.FormatInt(f.size, 10)
	if !usable {
		return 0, false, nil // begin again
	}
	return offset, false, nil
}
