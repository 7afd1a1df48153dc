package fleet

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"
)

// answer is a server's answer to a manifest request, read as the client reads it.
// No manifest and no directive means that there is no update.
type answer struct {
	manifest  []byte
	directive *directive
	// filters and serverHeaders are nil when the server sent none, and then the
	// client keeps its old ones.
	filters       Filters
	serverHeaders map[string]any
}

// readAnswer reads a protocol 1 answer and checks what the client checks.
func readAnswer(status int, h http.Header, body []byte) (answer, error) {
	if status < 200 || status > 299 {
		return answer{}, &statusError{status: status, body: body}
	}
	if v := h.Get("expo-protocol-version"); v != "1" {
		return answer{}, fmt.Errorf("header expo-protocol-version is %q on an answer to protocol 1", v)
	}
	if v := h.Get("expo-sfv-version"); v != "0" {
		return answer{}, fmt.Errorf("header expo-sfv-version is %q, not 0", v)
	}
	if strings.Contains(h.Get("cache-control"), "public") {
		return answer{}, fmt.Errorf("header cache-control is public, but answers differ by device")
	}
	var a answer
	filters, err := headerDictionary(h, "expo-manifest-filters")
	if err != nil {
		return answer{}, err
	}
	a.filters = filters
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
		return fmt.Errorf("content type %q is none that the client accepts", media)
	}
	parts, err := splitMultipart(contentType, body)
	if err != nil {
		return err
	}
	for _, p := range parts {
		switch p.name {
		case "manifest":
			a.manifest = p.body
		case "directive":
			d, err := parseDirective(p.body)
			if err != nil {
				return err
			}
			a.directive = &d
		}
	}
	return nil
}

// statusError is an answer whose status says failure.
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
