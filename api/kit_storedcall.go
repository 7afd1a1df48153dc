package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/waft-ota/waft/models"
)

// StoredCalls makes stored calls as their authors, through the handlers of the API: the input is
// checked anew, and so are the rights of the author.
type StoredCalls struct{ routes http.Handler }

// NewStoredCalls makes one. Of the dependencies it needs those of the operations that ask for
// approvals.
func NewStoredCalls(d Deps) (*StoredCalls, error) {
	d.Rates = Rates{} // the call was counted when it came
	routes, err := build(d)
	if err != nil {
		return nil, err
	}
	return &StoredCalls{routes}, nil
}

// CarryOut makes an approved call. A refusal of the call is an outcome; an error is one of the
// server's, after which the call may be made again.
func (s *StoredCalls) CarryOut(ctx context.Context, a models.Approval) (models.CallOutcome, error) {
	ctx = context.WithValue(ctx, approvedKey{}, a)
	r, err := http.NewRequestWithContext(ctx, a.Method, a.Path, bytes.NewReader(a.Body))
	if err != nil {
		return models.CallOutcome{}, fmt.Errorf("the call of approval %d: %w", a.ID, err)
	}
	r.RemoteAddr = "127.0.0.1:0" // as one from this machine
	r.Header.Set("X-Project", a.ProjectSlug)
	r.Header.Set("X-Request-Id", a.RequestID)
	if len(a.Body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	answer := &recordedAnswer{header: http.Header{}, status: http.StatusOK}
	s.routes.ServeHTTP(answer, r)
	switch {
	case answer.status < http.StatusMultipleChoices:
		return models.CallOutcome{Done: true}, nil
	case answer.status >= http.StatusInternalServerError, answer.status == http.StatusTooManyRequests,
		answer.status == models.StatusClientClosed: // this process stops
		return models.CallOutcome{}, fmt.Errorf("the call of approval %d was answered with %d: %s", a.ID, answer.status, answer.problem())
	default:
		return models.CallOutcome{Refusal: answer.problem()}, nil
	}
}

// recordedAnswer keeps an answer in memory.
type recordedAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *recordedAnswer) Header() http.Header         { return a.header }
func (a *recordedAnswer) WriteHeader(status int)      { a.status = status }
func (a *recordedAnswer) Write(p []byte) (int, error) { return a.body.Write(p) }

// problem is what the answer says went wrong.
func (a *recordedAnswer) problem() string {
	var p Problem
	if json.Unmarshal(a.body.Bytes(), &p) != nil || p.Detail == "" {
		return http.StatusText(a.status)
	}
	text := p.Detail
	for _, f := range p.Errors {
		if line := f.Field + ": " + f.Message; !strings.Contains(text, line) {
			text += "; " + line
		}
	}
	return text
}
