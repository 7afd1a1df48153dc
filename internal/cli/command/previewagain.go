package command

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/waft-ota/waft/internal/base/backoff"
)

const (
	// previewTries is how often a preview is requested before its error is printed.
	previewTries = 5
	// previewMaxPause is the longest pause that a person waits for another try.
	previewMaxPause = 5 * time.Second
)

// previewTransport requests a preview again after the pause that the server asks for. A server that is busy gives a preview up after a
// short time, so that it does not delay changes. Another try is safe, because a preview does not change anything. All other requests are
// sent once.
type previewTransport struct{ next http.RoundTripper }

// previewsAgain returns a previewTransport around the transport of a client.
func previewsAgain(next http.RoundTripper) http.RoundTripper { return previewTransport{next} }

// RoundTrip sends a request.
func (p previewTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	for tries := 1; ; tries++ {
		res, err := p.next.RoundTrip(req)
		if err != nil || tries == previewTries || !isPreview(req) {
			return res, err
		}
		pause := pauseOf(res)
		if pause == 0 {
			return res, nil
		}
		res.Body.Close()
		if err := backoff.Sleep(req.Context(), pause); err != nil {
			return nil, err
		}
		req = req.Clone(req.Context())
		if req.GetBody != nil {
			if req.Body, err = req.GetBody(); err != nil {
				return nil, err
			}
		}
	}
}

// isPreview reports whether a request is for a preview and can be sent again.
func isPreview(req *http.Request) bool {
	return strings.HasSuffix(req.URL.Path, "/preview") && (req.Body == nil || req.GetBody != nil)
}

// pauseOf returns the pause before another try, or 0 if the response does not ask for one or asks for a long one.
func pauseOf(res *http.Response) time.Duration {
	seconds, err := strconv.Atoi(res.Header.Get("Retry-After"))
	pause := time.Duration(seconds) * time.Second
	if err != nil || res.StatusCode != http.StatusServiceUnavailable || pause < 0 || pause > previewMaxPause {
		return 0
	}
	return pause
}
