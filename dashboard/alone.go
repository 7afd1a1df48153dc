package dashboard

import (
	"net/http"
	"strings"
)

// forPeople are the beginnings of paths that the dashboard asks the API for.
var forPeople = []string{"/v1/auth/", "/v1/me", "/v1/ota/"}

// forDevices are the beginnings of those among them that only devices ask for. Uploaded files are under the first.
var forDevices = []string{
	"/v1/ota/assets/", "/v1/ota/manifest/", "/v1/ota/health-metrics", "/v1/ota/flag-definitions/", "/v1/ota/flag-evaluations",
	"/v1/ota/flag-evaluations-bulk", "/v1/ota/flag-stream/",
}

// Alone serves the dashboard and what it needs of the API, and nothing that somebody uploaded: the handler of
// WAFT_DASHBOARD_ADDR.
func Alone(h *Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		isPage := path == "/" || path == "/app" || strings.HasPrefix(path, base) || path == "/readyz" || path == "/healthz"
		if !isPage && (!beginsWith(path, forPeople) || beginsWith(path, forDevices)) {
			http.Error(w, "this address serves only the dashboard", http.StatusNotFound)
			return
		}
		h.ServeHTTP(w, r)
	})
}

func beginsWith(path string, beginnings []string) bool {
	for _, beginning := range beginnings {
		if strings.HasPrefix(path, beginning) {
			return true
		}
	}
	return false
}
