package e2e

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/waft-ota/waft/api"
)

// document is the OpenAPI document of the server.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	text, err := api.OpenAPI30()
	if err != nil {
		return nil, err
	}
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(text)
	if err != nil {
		return nil, err
	}
	// A reader of OpenAPI 3.0 ignores the siblings of a $ref. A description may be one of them.
	if err := doc.Validate(loader.Context, openapi3.AllowExtraSiblingFields("description")); err != nil {
		return nil, err
	}
	untyped := untypedSchemas{}
	for _, schema := range doc.Components.Schemas {
		untyped.allowNull(schema)
	}
	for _, path := range doc.Paths.Map() {
		for _, op := range path.Operations() {
			for _, response := range op.Responses.Map() {
				for _, media := range response.Value.Content {
					untyped.allowNull(media.Schema)
				}
			}
		}
	}
	return doc, nil
})

// untypedSchemas are the schemas that allowNull has visited.
type untypedSchemas map[*openapi3.Schema]bool

// allowNull lets every schema without a type match null, in ref and below it. So OpenAPI 3.0.3 defines it ("Clarify
// Nullable"), but the validator wants nullable, which 3.0.3 does not permit without a type.
func (seen untypedSchemas) allowNull(ref *openapi3.SchemaRef) {
	if ref == nil || ref.Value == nil || seen[ref.Value] {
		return
	}
	s := ref.Value
	seen[s] = true
	below := slices.Concat(s.AllOf, s.AnyOf, s.OneOf, openapi3.SchemaRefs{s.Items, s.AdditionalProperties.Schema})
	for _, property := range s.Properties {
		below = append(below, property)
	}
	for _, schema := range below {
		seen.allowNull(schema)
	}
	s.Nullable = s.Nullable || s.Type == nil && len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) == 0
}

// checked turns a response that contradicts the OpenAPI document into an error. It does not check responses of other
// servers, or responses for unknown paths.
func checked(inner http.RoundTripper) http.RoundTripper { return checkedTransport{inner} }

type checkedTransport struct{ inner http.RoundTripper }

// otherVersions holds the addresses of servers of other versions, whose responses may lack fields of the document.
var otherVersions sync.Map

// RoundTrip sends the request and checks the response.
func (c checkedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := c.inner.RoundTrip(req)
	if _, isOther := otherVersions.Load(req.URL.Host); isOther || err != nil || res.Header.Get("X-Request-Id") == "" {
		return res, err
	}
	if err := checkAnswer(req, res); err != nil {
		res.Body.Close()
		return nil, fmt.Errorf("the response to %s %s (%d) contradicts the OpenAPI document: %w", req.Method, req.URL, res.StatusCode, err)
	}
	return res, nil
}

func checkAnswer(req *http.Request, res *http.Response) error {
	route, params, err := routeOf(req)
	if err != nil || route == nil {
		return err
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route},
		Status:                 res.StatusCode, Header: res.Header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true, ExcludeResponseBody: true},
	}
	// Bodies other than JSON, such as files and event streams, have no useful schema.
	if isJSON(res.Header.Get("Content-Type")) {
		body, err := io.ReadAll(res.Body)
		if err != nil {
			return err
		}
		res.Body.Close()
		res.Body = io.NopCloser(bytes.NewReader(body))
		input.Options.ExcludeResponseBody = false
		input.SetBodyBytes(body)
	} else if err := checkMedia(route.Operation, res); err != nil {
		return err
	}
	return openapi3filter.ValidateResponse(req.Context(), input)
}

func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && (media == "application/json" || media == "application/problem+json")
}

// checkMedia refuses a media type that the document does not name for the response's status. A file may have any type,
// because its build decides it.
func checkMedia(op *openapi3.Operation, res *http.Response) error {
	documented := op.Responses.Status(res.StatusCode)
	if documented == nil || len(documented.Value.Content) == 0 || documented.Value.Content["application/octet-stream"] != nil {
		return nil
	}
	if contentType := res.Header.Get("Content-Type"); documented.Value.Content.Get(contentType) == nil {
		return fmt.Errorf("a status %d of the type %q is not documented", res.StatusCode, contentType)
	}
	return nil
}

// documented groups the document's routes by method and number of path segments. Routes with fewer parameters come
// first.
var documented = sync.OnceValues(func() (map[routeKind][]documentedRoute, error) {
	doc, err := document()
	if err != nil {
		return nil, err
	}
	routes := map[routeKind][]documentedRoute{}
	for path, item := range doc.Paths.Map() {
		parts := strings.Split(path, "/")
		for method, op := range item.Operations() {
			kind := routeKind{method, len(parts)}
			routes[kind] = append(routes[kind], documentedRoute{
				Route: &routers.Route{Spec: doc, Path: path, PathItem: item, Method: method, Operation: op}, parts: parts,
			})
		}
	}
	for _, same := range routes {
		slices.SortFunc(same, func(a, b documentedRoute) int {
			return cmp.Compare(strings.Count(a.Path, "{"), strings.Count(b.Path, "{"))
		})
	}
	return routes, nil
})

type routeKind struct {
	method string
	parts  int
}

type documentedRoute struct {
	*routers.Route
	parts []string
}

// routeOf returns the operation that a request is for, and the values of its path parameters. A fixed path takes
// precedence over a path with parameters.
func routeOf(req *http.Request) (*routers.Route, map[string]string, error) {
	routes, err := documented()
	if err != nil {
		return nil, nil, err
	}
	parts := strings.Split(req.URL.EscapedPath(), "/")
	for i, part := range parts {
		if unescaped, err := url.PathUnescape(part); err == nil {
			parts[i] = unescaped
		}
	}
	for _, route := range routes[routeKind{req.Method, len(parts)}] {
		if params, ok := route.match(parts); ok {
			return route.Route, params, nil
		}
	}
	return nil, nil, nil
}

func (r documentedRoute) match(parts []string) (params map[string]string, ok bool) {
	for i, want := range r.parts {
		if !strings.HasPrefix(want, "{") && want != parts[i] {
			return nil, false
		}
	}
	params = map[string]string{}
	for i, want := range r.parts {
		if name, ok := strings.CutPrefix(want, "{"); ok {
			params[strings.TrimSuffix(name, "}")] = parts[i]
		}
	}
	return params, true
}
