package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// PendingError says that the server did not carry a call out: it waits for approvals.
type PendingError struct{ Approval Approval }

func (e *PendingError) Error() string {
	people := "another person has"
	if n := e.Approval.RequiredApprovals; n > 1 {
		people = fmt.Sprintf("%d other people have", n)
	}
	return fmt.Sprintf("approval %d waits until %s approved it, at the latest %s: %s",
		e.Approval.ID, people, e.Approval.ExpiresAt.UTC().Format("2006-01-02 15:04 UTC"), e.Approval.Summary)
}

// readPending returns a PendingError for a response with status 202 that describes an approval. It returns any other response with
// status 202 itself, with a body that can be read.
func readPending(res *http.Response) (*http.Response, error) {
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	var p struct {
		Approval *Approval `json:"approval"`
	}
	if json.Unmarshal(body, &p) == nil && p.Approval != nil {
		return nil, &PendingError{*p.Approval}
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}
