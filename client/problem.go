package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/waft-ota/waft/models"
)

// maxProblemBytes is the maximum number of bytes of an error response that are read.
const maxProblemBytes = 256 << 10

// Error is an error response of the server: a problem+json document, or as much as could be read from another response.
type Error struct {
	Status int
	// Code is the stable code of the problem, "" if a proxy or another server responded.
	Code      models.ErrorCode
	Title     string
	Detail    string
	RequestID string
	// Fields are all invalid input fields.
	Fields []models.FieldError
	// RetryAfter is the time to wait before the next attempt, 0 if the server did not set one.
	RetryAfter time.Duration
}

// Error returns a message for a person at a terminal: one line for the problem, and one line for each invalid field.
func (e *Error) Error() string {
	var b strings.Builder
	switch {
	case e.Detail != "":
		b.WriteString(e.Detail)
	case e.Title != "":
		b.WriteString(e.Title)
	default:
		b.WriteString(http.StatusText(e.Status))
	}
	fmt.Fprintf(&b, " (%d", e.Status)
	if e.Code != "" {
		fmt.Fprintf(&b, " %s", e.Code)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&b, ", request %s", e.RequestID)
	}
	b.WriteByte(')')
	for _, f := range e.Fields {
		if line := f.Field + ": " + f.Message; !strings.Contains(e.Detail, line) { // the detail of a single one is the same
			b.WriteString("\n  " + line)
		}
	}
	return b.String()
}

// CodeOf returns the code of the Error in err's chain, "" without one.
func CodeOf(err error) models.ErrorCode {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// readError returns an Error for a response with status 400 or above.
func readError(res *http.Response) *Error {
	e := &Error{Status: res.StatusCode, RequestID: res.Header.Get("X-Request-Id")}
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxProblemBytes))
	if err != nil {
		e.Detail = fmt.Sprintf("the response is incomplete: %v", err)
		return e
	}
	media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")) // a missing type is not problem+json
	var p Problem
	if media == "text/html" { // a page of a proxy
		return e
	}
	if media != "application/problem+json" || json.Unmarshal(body, &p) != nil {
		e.Detail = firstLine(string(body))
		return e
	}
	e.Code, e.Title, e.Detail = models.ErrorCode(p.Code), p.Title, p.Detail
	if p.RequestID != "" {
		e.RequestID = p.RequestID
	}
	if p.Errors != nil {
		for _, f := range *p.Errors {
			e.Fields = append(e.Fields, models.FieldError{Field: f.Field, Message: f.Message})
		}
	}
	return e
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if len(line) > 200 {
		return line[:200] + "…"
	}
	return line
}
