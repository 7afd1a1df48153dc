package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Call sends a request for which the client does not have a method, and returns the unchanged body of the response. path begins at
// the server's address and may have a query; body is JSON, nil for none.
func (w *Waft) Call(ctx context.Context, method, path string, body io.Reader) ([]byte, error) {
	text, _, err := w.call(ctx, method, path, body)
	return text, err
}

// CallPage reads one page of a list, and returns its unchanged body and the path of the next page, "" after the last page.
func (w *Waft) CallPage(ctx context.Context, path string) (body []byte, next string, err error) {
	body, header, err := w.call(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, "", err
	}
	return body, nextPage(header.Get("Link")), nil
}

// nextPage returns the path in a Link header with rel="next", "" without one.
func nextPage(link string) string {
	path, rel, found := strings.Cut(link, ">;")
	if !found || !strings.Contains(rel, `rel="next"`) {
		return ""
	}
	return strings.TrimPrefix(strings.TrimSpace(path), "<")
}

func (w *Waft) call(ctx context.Context, method, path string, body io.Reader) ([]byte, http.Header, error) {
	inner, ok := w.ClientInterface.(*Client)
	if !ok {
		return nil, nil, fmt.Errorf("waft client: calls go through a *Client, not %T", w.ClientInterface)
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(inner.Server, "/")+path, body)
	if err != nil {
		return nil, nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if err := inner.applyEditors(ctx, req, nil); err != nil {
		return nil, nil, err
	}
	res, err := inner.Client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return text, res.Header, err
}
