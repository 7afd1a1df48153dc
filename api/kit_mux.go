package api

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// operationTime is how long a management call may take, its body included.
const operationTime = 45 * time.Second

// route is one row of the table in routes.go.
type route struct {
	method string
	path   string // as in OpenAPI: /v1/ota/builds/{id}
	access access
	serve  endpoint
}

// keyed reports whether the route's requests may have an Idempotency-Key.
func (r route) keyed() bool { return r.method == post && r.access.managed() && r.access != person }

// endpoint mounts and documents a route.
type endpoint func(*mux, route)

// Keys of an operation's metadata.
const (
	metaRoute      = "route"
	metaRepeatable = "repeatable"
	metaSensitive  = "sensitive"
	metaAsking     = "asking"
)

// repeatable marks an operation whose work is not one Postgres transaction and is harmless
// to do again; see keyedRequests.answerRepeatable.
func repeatable(doc huma.Operation) huma.Operation {
	return marked(doc, metaRepeatable)
}

// marked adds a mark to the operation's metadata.
func marked(doc huma.Operation, mark string) huma.Operation {
	doc.Metadata = maps.Clone(doc.Metadata)
	if doc.Metadata == nil {
		doc.Metadata = map[string]any{}
	}
	doc.Metadata[mark] = true
	return doc
}

// mux mounts routes on Gin, each behind its middlewares, and collects the OpenAPI
// document. It is huma's adapter to Gin.
type mux struct {
	*gin.Engine
	h           *handlers
	api         huma.API
	observer    observer
	identifiers map[string]identifier
	currents    map[string]current
	rows        []route
	compress    gin.HandlerFunc
	// preflights are the paths whose preflights are answered.
	preflights map[string]bool
}

func newMux(engine *gin.Engine, h *handlers) (*mux, error) {
	compress, err := compress()
	if err != nil {
		return nil, fmt.Errorf("api: compression: %w", err)
	}
	m := &mux{
		Engine: engine, h: h, observer: newObserver(h.Log, h.Metrics), identifiers: h.identifiers(), compress: compress,
		currents:   h.currents(),
		preflights: map[string]bool{},
	}
	json := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: unmarshalJSON}
	m.api = huma.NewAPI(huma.Config{
		OpenAPI:       newDocument(),
		Formats:       map[string]huma.Format{"application/json": json, "json": json},
		DefaultFormat: "application/json",
		// Without this, a misspelt filter would match everything.
		RejectUnknownQueryParameters: true,
	}, m)
	observe := m.observer.watch("any", "unmatched", slog.LevelInfo, true)
	engine.NoRoute(observe, func(c *gin.Context) {
		fail(c, models.Errorf(models.CodeNotFound, "there is nothing at this path; /docs lists all paths"))
	})
	engine.NoMethod(observe, func(c *gin.Context) {
		fail(c, models.Errorf(codeMethodNotAllowed, "this path allows only %s", c.Writer.Header().Get("Allow")))
	})
	return m, nil
}

// mount puts handlers behind the route's middlewares. limit, which may be nil for a public route, runs before
// the key is looked up.
func (m *mux) mount(r route, limit gin.HandlerFunc, serve ...gin.HandlerFunc) {
	level := slog.LevelInfo
	if !r.access.managed() {
		level = slog.LevelDebug // devices send many requests
	}
	chain := []gin.HandlerFunc{m.observer.watch(r.method, r.path, level, r.access.managed())}
	if r.access.managed() && m.h.Tracer != nil {
		chain = append(chain, traced(m.h.Tracer, r.method, r.path))
	}
	path := strings.NewReplacer("{", ":", "}", "").Replace(r.path)
	if r.crossOrigin() {
		chain = append(chain, allowAnyOrigin)
		m.answerPreflights(path)
	}
	aboutPeople := strings.HasPrefix(r.path, "/v1/auth/")
	switch {
	case r.access.managed():
		limit = m.h.limitManagement
	case aboutPeople:
		limit = m.h.limitRequests
	}
	if limit != nil {
		chain = append(chain, limit)
	}
	if aboutPeople {
		chain = append(chain, m.h.aboutPeople)
	}
	if r.access == client {
		chain = append(chain, m.h.authorizeClient)
	} else {
		chain = append(chain, m.h.authorize(r.access))
	}
	if r.closedToChannelKeys() {
		chain = append(chain, refuseChannelKeys)
	}
	if r.access.managed() {
		chain = append(chain, checkText)
		if r.method != get && r.access != person && m.h.Snapshots != nil { // a process without snapshots serves no device
			chain = append(chain, m.h.readYourWrites)
		}
	}
	if i, ok := m.identifier(r); ok {
		chain = append(chain, i.resolve)
	}
	m.Engine.Handle(r.method, path, append(chain, serve...)...)
}

// Handle mounts an operation that huma registered.
func (m *mux) Handle(op *huma.Operation, handle func(huma.Context)) {
	r := op.Metadata[metaRoute].(route)
	serve := func(c *gin.Context) {
		sent := c.GetHeader("Content-Type")
		media, _, _ := strings.Cut(sent, ";")
		// huma accepts only lower case.
		c.Request.Header.Set("Content-Type", strings.ToLower(media)+sent[len(media):])
		callOf(c.Request.Context()).answer = c.Writer.Header()
		handle(humagin.NewContext(op, c))
	}
	if op.Metadata[metaAsking] == true {
		serve = keepBody(serve)
	}
	if op.Metadata[metaSensitive] == true {
		serve = m.h.recently(serve)
	}
	switch {
	case r.keyed():
		m.mount(r, nil, m.h.keyed.body(serve, op.Metadata[metaRepeatable] == true))
	case r.method == get:
		m.mount(r, nil, m.compress, serve)
	case r.conditional():
		m.mount(r, nil, m.h.ifMatch(m.currents[r.path], serve))
	default:
		m.mount(r, nil, serve)
	}
}

// operation serves a route through huma, which reads and checks the input by its type.
func operation[I, O any](doc huma.Operation, handle handler[I, O]) endpoint {
	return func(m *mux, r route) {
		op := m.describe(r, doc)
		op.Metadata = maps.Clone(doc.Metadata)
		if op.Metadata == nil {
			op.Metadata = map[string]any{}
		}
		op.Metadata[metaRoute] = r
		op.MaxBodyBytes = maxOperationBytes + 1 // huma rejects a body of exactly the limit
		op.BodyReadTimeout = -1                 // see limitBodyTime
		addExamples[I, O](&op)
		huma.Register(m.api, op, func(ctx context.Context, in *I) (*O, error) {
			ctx, cancel := context.WithTimeout(ctx, operationTime)
			defer cancel()
			out, err := handle(ctx, in)
			if err == nil {
				err = setETag(ctx, out)
			}
			if err != nil {
				return nil, m.h.answerTo(ctx, err)
			}
			return out, nil
		})
	}
}

// plain serves a route with Gin handlers.
func plain(doc huma.Operation, serve ...gin.HandlerFunc) endpoint { return limited(doc, nil, serve...) }

// limited serves a route that needs no key of a role with Gin handlers behind a rate limit.
func limited(doc huma.Operation, limit gin.HandlerFunc, serve ...gin.HandlerFunc) endpoint {
	return func(m *mux, r route) {
		op := m.describe(r, doc)
		m.api.OpenAPI().AddOperation(&op)
		if limit != nil && r.access == public {
			limit = m.h.noting(limit)
		}
		m.mount(r, limit, serve...)
	}
}
