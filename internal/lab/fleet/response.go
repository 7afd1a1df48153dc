package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"
)

// answer is a response to a manifest request, as the client reads it. If it has neither a manifest nor a directive,
// there is no update.
type answer struct {
	manifest []byte
	// rollbackTo is the embedded update's new commit time if the response is the directive to return to it, and zero
	// otherwise.
	rollbackTo time.Time
	// filters and serverHeaders are nil if the server did not send any. The client then keeps its old ones.
	filters       Filters
	serverHeaders map[string]any
}

// readAnswer reads a response in protocol 1 and makes the client's checks.
func readAnswer(status int, h http.Header, body []byte) (answer, error) {
	if status < 200 || status > 299 {
		return answer{}, &statusError{status: status, body: body}
	}
	if v := h.Get("expo-protocol-version"); v != "1" {
		return answer{}, fmt.Errorf("header expo-protocol-version is %q on a response in protocol 1", v)
	}
	if v := h.Get("expo-sfv-version"); v != "0" {
		return answer{}, fmt.Errorf("header expo-sfv-version is %q, not 0", v)
	}
	if strings.Contains(h.Get("cache-control"), "public") {
		return answer{}, fmt.Errorf("header cache-control is public, but responses differ per device")
	}
	var a answer
	var err error
	if a.filters, err = headerDictionary(h, "expo-manifest-filters"); err != nil {
		return answer{}, err
	}
	if a.filters == nil {
		return answer{}, errors.New("header expo-manifest-filters is missing, so a device keeps its old filters")
	}
	if a.serverHeaders, err = headerDictionary(h, "expo-server-defined-headers"); err != nil {
		return answer{}, err
	}
	if status == http.StatusNoContent {
		return a, nil
	}
	return a, a.readBody(h.Get("content-type"), body)
}

func (a *answer) readBody(contentType string, body []byte) error {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return fmt.Errorf("content type %q: %w", contentType, err)
	}
	switch media {
	case "application/expo+json", "application/json":
		a.manifest = body
		return nil
	case "multipart/mixed":
	default:
		return fmt.Errorf("content type %q is not accepted by the client", media)
	}
	parts, err := splitMultipart(contentType, body)
	if err != nil {
		return err
	}
	a.manifest = parts["manifest"]
	if directive, ok := parts["directive"]; ok {
		a.rollbackTo, err = parseDirective(directive)
	}
	return err
}

// parseDirective reads a directive part. It returns the commit time of a rollback to the embedded update, or zero if
// there is no update. An unknown type is an error, because it would end the process of an Android app.
func parseDirective(body []byte) (rollbackTo time.Time, err error) {
	var d struct {
		Type       string `json:"type"`
		Parameters struct {
			CommitTime string `json:"commitTime"`
		} `json:"parameters"`
	}
	if err := json.Unmarshal(body, &d); err != nil {
		return time.Time{}, fmt.Errorf("directive: %w", err)
	}
	switch d.Type {
	case "noUpdateAvailable":
		return time.Time{}, nil
	case "rollBackToEmbedded":
		at, err := parseCommitTime(d.Parameters.CommitTime)
		if err != nil {
			return time.Time{}, fmt.Errorf("directive: parameters.commitTime %w", err)
		}
		return at, nil
	default:
		return time.Time{}, fmt.Errorf("directive: type %q is unknown and would end an Android app", d.Type)
	}
}

type statusError struct {
	status int
	body   []byte
}

func (e *statusError) Error() string {
	text := strings.TrimSpace(string(e.body))
	var problem struct {
		Detail string `json:"detail"`
	}
	if json.Unmarshal(e.body, &problem) == nil && problem.Detail != "" {
		text = problem.Detail
	}
	if len(text) > 200 {
		text = text[:200] + "…"
	}
	return fmt.Sprintf("status %d: %s", e.status, text)
}
