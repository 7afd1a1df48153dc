package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
)

var (
	docsDoc = page(rest.Doc(tagSystem, "docs", "Browse this document", "Returns a page that shows this document."),
		"text/html", "<!doctype html>…")

	openAPIDoc = page(rest.Doc(tagSystem, "openapi", "Get this document", "Returns this document as OpenAPI 3.1."),
		"application/openapi+json", map[string]string{"openapi": "3.1.0"})
)

// page documents a response that is not a record.
func page(op huma.Operation, media string, example any) huma.Operation {
	op.Responses = map[string]*huma.Response{"200": {
		Description: "The document.", Content: rest.Content(media, &huma.Schema{}, example),
	}}
	return op
}

// serveOnce serves an OpenAPI document, which is rendered at the first request.
func serveOnce(render func() ([]byte, error)) gin.HandlerFunc {
	once := sync.OnceValues(render)
	return func(c *gin.Context) {
		body, err := once()
		if err != nil {
			rest.Fail(c, err)
			return
		}
		c.Data(http.StatusOK, "application/openapi+json", body)
	}
}

// OpenAPI returns the OpenAPI 3.1 document of all endpoints as indented JSON. It works without engines.
func OpenAPI() ([]byte, error) { return printed(document31) }

// OpenAPI30 returns the document as OpenAPI 3.0.3, for generators that do not support 3.1.
func OpenAPI30() ([]byte, error) { return printed(document30) }

func printed(render func(*rest.Mux) ([]byte, error)) ([]byte, error) {
	m, err := newDocumented()
	if err != nil {
		return nil, err
	}
	document, err := render(m)
	if err != nil {
		return nil, fmt.Errorf("rendering the OpenAPI document: %w", err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, document, "", "  "); err != nil {
		return nil, fmt.Errorf("rendering the OpenAPI document: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func document31(m *rest.Mux) ([]byte, error) { return json.Marshal(m.API.OpenAPI()) }
