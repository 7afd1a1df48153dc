package process

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Get sends a GET request and returns at most 300 bytes of the response's body. It returns an
// error for another status than 200.
func Get(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 300))
	answer := strings.TrimSpace(string(body))
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answers %s: %s", req.URL.Redacted(), res.Status, answer)
	}
	return answer, err
}
