package importer

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

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
