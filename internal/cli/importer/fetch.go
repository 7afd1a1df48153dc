package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/waft-ota/waft/internal/cli/command"
)

// sourceError is an error of a source. Nobody should look for its cause at Waft's own server, so it is not a *url.Error.
type sourceError struct {
	name string
	err  error
}

// fromSource returns an error of a source with the source's name. Wrong flags and arguments keep their error.
func fromSource(s source, err error) error {
	var usage *command.UsageError
	if errors.As(err, &usage) {
		return err
	}
	return &sourceError{s.name(), err}
}

func (e *sourceError) Error() string { return "the source " + e.name + ": " + e.err.Error() }

// Is reports whether the error has a cause such as an interruption or a full disk.
func (e *sourceError) Is(target error) bool { return errors.Is(e.err, target) }

// cursors contains the cursors of the pages that were read.
type cursors map[string]bool

// add returns an error for a cursor that was read, because the source would never end.
func (c cursors) add(cursor string) error {
	if c[cursor] {
		return fmt.Errorf("the list repeats the cursor %q", cursor)
	}
	c[cursor] = true
	return nil
}

// maxRecords is the maximum size of a JSON response of a source in bytes.
const maxRecords = 64 << 20

// fetchJSON sends a request and reads the JSON of its response.
func fetchJSON(hc *http.Client, req *http.Request, into any) error {
	res, err := hc.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxRecords))
	if err != nil {
		return err
	}
	if res.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s responded with status %d: %s", req.Method, req.URL.Path, res.StatusCode, body[:min(len(body), 300)])
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("%s %s did not respond with JSON: %w", req.Method, req.URL.Path, err)
	}
	return nil
}
