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
	inner, ok := w.ClientInterface.(*Client)
	if !ok {
		return nil, fmt.Errorf("waft client: calls go through a *Client, not %T", w.ClientInterface)
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(inner.Server, "/")+path, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if err := inner.applyEditors(ctx, req, nil); err != nil {
		return nil, err
	}
	res, err := inner.Client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}
