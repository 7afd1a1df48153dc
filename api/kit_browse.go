package api

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// The page that shows the OpenAPI document. It loads nothing from elsewhere, so
// that it works where there is no internet.
var (
	//go:embed docs/page.html
	docsPage string
	//go:embed docs/page.css
	docsStyle string
	//go:embed docs/page.js
	docsScript string
)

var docsDoc = huma.Operation{
	OperationID: "docs", Tags: []string{tagSystem}, Summary: "Browse this document",
	Description: "A page for people.", Responses: page("text/html", "<!doctype html>…"),
}

var openAPIDoc = huma.Operation{
	OperationID: "openapi", Tags: []string{tagSystem}, Summary: "Get this document",
	Description: "OpenAPI 3.1.", Responses: page("application/openapi+json", map[string]string{"openapi": "3.1.0"}),
}

var openAPI30Doc = huma.Operation{
	OperationID: "openapi30", Tags: []string{tagSystem}, Summary: "Get this document in an older form",
	Description: "OpenAPI 3.0.3, for generators that know no newer one.",
	Responses:   page("application/openapi+json", map[string]string{"openapi": "3.0.3"}),
}

var metricsDoc = huma.Operation{
	OperationID: "metrics", Tags: []string{tagSystem}, Summary: "Get metrics",
	Description: "In Prometheus' text format.", Responses: page("text/plain", "waft_http_requests_total{…} 42"),
}

// page documents an answer that is no record.
func page(media string, example any) map[string]*huma.Response {
	return map[string]*huma.Response{"200": {
		Description: "The document.",
		Content:     map[string]*huma.MediaType{media: {Schema: &huma.Schema{}, Example: example}},
	}}
}

// docs serves the page. The policy names the page's own script and style by their
// hashes and lets it fetch the document from its own origin, nothing else.
func docs() gin.HandlerFunc {
	body := []byte(strings.NewReplacer("{{style}}", docsStyle, "{{script}}", docsScript).Replace(docsPage))
	policy := "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'" +
		"; script-src " + cspHash(docsScript) + "; style-src " + cspHash(docsStyle)
	return func(c *gin.Context) {
		c.Header("Content-Security-Policy", policy)
		c.Data(http.StatusOK, "text/html; charset=utf-8", body)
	}
}

func cspHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// document serves what render makes of the finished OpenAPI document, made once
// at the first request.
func document(render func() ([]byte, error)) gin.HandlerFunc {
	once := sync.OnceValues(render)
	return func(c *gin.Context) {
		body, err := once()
		if err != nil {
			fail(c, err)
			return
		}
		c.Data(http.StatusOK, "application/openapi+json", body)
	}
}

func (m *mux) document31() ([]byte, error) { return json.Marshal(m.api.OpenAPI()) }

func (m *mux) document30() ([]byte, error) { return downgraded(m.api.OpenAPI()) }

func metrics(from prometheus.Gatherer) gin.HandlerFunc {
	return gin.WrapH(promhttp.HandlerFor(from, promhttp.HandlerOpts{}))
}
