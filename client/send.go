package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
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

// checkedFiles are the files of exports that the project does not have.
type checkedFiles struct {
	missing []exportFile
	// transfer counts what is to be sent.
	transfer Transfer
	response *http.Response
}

// checkFiles asks which files of exports the project does not have, each content once.
func (w *Waft) checkFiles(ctx context.Context, exports []preparedExport) (*checkedFiles, error) {
	var t Transfer
	byContent := map[string]exportFile{}
	check := CheckFilesBody{Files: []CheckedFile{}}
	for _, e := range exports {
		for _, f := range e.files {
			if _, twice := byContent[f.sha256]; !twice {
				byContent[f.sha256] = f
				check.Files = append(check.Files, CheckedFile{Sha256: f.sha256, SizeBytes: f.size})
				t.Files++
				t.Bytes += f.size
			}
		}
	}
	res, err := w.CheckFilesWithResponse(ctx, &CheckFilesParams{}, check)
	if err != nil {
		return nil, err
	}
	answer, err := expect(res.JSON200, res.HTTPResponse)
	if err != nil {
		return nil, err
	}
	missing := make([]exportFile, 0, len(answer.Missing))
	for _, sum := range answer.Missing {
		f, known := byContent[sum]
		if !known {
			return nil, fmt.Errorf("the server asks for the file %s, which the export does not have", sum)
		}
		missing = append(missing, f)
		t.SentFiles++
		t.SentBytes += f.size
	}
	return &checkedFiles{missing, t, res.HTTPResponse}, nil
}

// sendMissing sends the files that the project does not have. It does not repeat bytes that the server already has, even if the
// connection breaks or an earlier run of the attempt was interrupted.
func (w *Waft) sendMissing(ctx context.Context, files *checkedFiles, u Upload, a *Attempt) error {
	if err := a.begin(files.response); err != nil {
		return err
	}
	if u.Sending != nil {
		list := make([]FileProgress, 0, len(files.missing))
		for _, f := range files.missing {
			list = append(list, FileProgress{Name: f.name, Size: f.size})
		}
		u.Sending(list)
	}
	sending, ctx := errgroup.WithContext(ctx)
	sending.SetLimit(sentTogether)
	for _, f := range files.missing {
		sending.Go(func() error {
			if err := w.sendFile(ctx, f, u, a.resumed()); err != nil {
				return fmt.Errorf("sending %s: %w", f.name, err)
			}
			return nil
		})
	}
	err := sending.Wait()
	if err == nil && u.Sent != nil {
		u.Sent(files.transfer)
	}
	return err
}

// sendFile sends a file, after a failure from where the server has it. resumed says that the server may have a part of it already.
func (w *Waft) sendFile(ctx context.Context, f exportFile, u Upload, resumed bool) error {
	at := int64(0)
	if resumed {
		has, complete, err := w.progress(ctx, f)
		if err != nil {
			return err
		}
		if complete {
			return nil
		}
		at = has
	}
	for tries := 1; ; tries++ {
		err := w.sendFrom(ctx, f, at, u.Progress)
		if err == nil {
			return nil
		}
		if changed := f.changed(); changed != nil {
			return changed
		}
		if !worthAnotherTry(err) || tries == maxTries {
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
func (w *Waft) sendFrom(ctx context.Context, f exportFile, at int64, progress func(FileProgress)) error {
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
	body := io.Reader(io.NewSectionReader(from, at, f.size-at))
	if progress != nil {
		body = &toldReader{body, FileProgress{f.name, at, f.size}, progress}
	}
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

// toldReader reports the progress of reading a file.
type toldReader struct {
	from io.Reader
	at   FileProgress
	tell func(FileProgress)
}

func (r *toldReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if n > 0 {
		r.at.Sent += int64(n)
		r.tell(r.at)
	}
	return n, err
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
