package rest

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"
)

// crossOrigin reports whether web pages of any origin may call the route. This holds for device routes and OFREP.
func (r Route) crossOrigin() bool {
	return r.Access == Client || r.Access == Public && (strings.HasPrefix(r.Path, "/v1/ota/") || strings.HasPrefix(r.Path, "/ofrep/"))
}

// allowAnyOrigin allows web pages to read the response. Such requests are never authenticated by the browser's
// credentials.
func allowAnyOrigin(c *gin.Context) {
	header := c.Writer.Header()
	header["Access-Control-Allow-Origin"] = anyOrigin
	header["Access-Control-Expose-Headers"] = anyOrigin
}

var anyOrigin = []string{"*"} // shared by all responses

// maxPreflightHeaders is the maximum length in bytes of the list of headers that a preflight may request.
const maxPreflightHeaders = 4096

// answerPreflights responds to the preflights of a path, for all its methods.
func (m *Mux) answerPreflights(path string) {
	if m.preflights[path] {
		return
	}
	m.preflights[path] = true
	m.OPTIONS(path, m.observer.watch(http.MethodOptions, path, slog.LevelDebug, false), allowAnyOrigin, func(c *gin.Context) {
		header := c.Writer.Header()
		header.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
		// A wildcard would not include Authorization.
		if asked := c.GetHeader("Access-Control-Request-Headers"); asked != "" && len(asked) <= maxPreflightHeaders {
			header.Set("Access-Control-Allow-Headers", asked)
		}
		header.Set("Access-Control-Max-Age", "7200")
		header.Set("Vary", "Access-Control-Request-Headers")
		c.Status(http.StatusNoContent)
	})
}

// FromAnotherOrigin reports whether a web page of another origin sends the request.
func FromAnotherOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	at, err := url.Parse(origin)
	return err != nil || at.Host != r.Host
}
