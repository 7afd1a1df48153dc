package api

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"github.com/waft-ota/waft/models"
)

// operationTime is how long a management call may take, its body included.
const operationTime = 45 * time.Second

// route is one row of the table of endpoints. Authentication, the check of the role and the OpenAPI document follow from it.
type route struct {
	method string
	path   string // as in OpenAPI: /v1/ota/builds/{id}
	access access
	serve  endpoint
	// asks says that a call may have to wait for approvals.
	asks bool
	// channelKeys says that a key for some channels may make the call, which is a write. The store then checks that what the
	// call changes is on its channels only. Every other write is closed to such keys, so a new one is, too.
	channelKeys bool
	// id is what else {id} may be in the path, nil for nothing.
	id *identifier
	// current reads the record that If-Match is compared with, nil for a record without an ETag.
	current current
	// schemas are types that the document of a plain route refers to by name.
	schemas []reflect.Type
}

// keyed reports whether the route's requests may have an Idempotency-Key.
func (r route) keyed() bool {
	return r.method == http.MethodPost && r.access.managed() && r.access != person
}

// endpoint mounts and documents a route.
type endpoint func(*mux, route)

// Keys of an operation's metadata.
const (
	metaRoute      = "route"
	metaRepeatable = "repeatable"
	metaSensitive  = "sensitive"
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

// Guards are the middlewares of a mux that packages above this one make.
type Guards struct {
	// Authorize checks that the caller may call a route with that access.
	Authorize func(access) gin.HandlerFunc
	// AuthorizeClient checks the key of a client route.
	AuthorizeClient gin.HandlerFunc
	// AboutPeople is for the routes below /v1/auth.
	AboutPeople gin.HandlerFunc
	// Recently is for operations that a session may call only shortly after its login.
	Recently func(gin.HandlerFunc) gin.HandlerFunc
	// LimitManagement and LimitRequests are rate limits of management and of the routes below /v1/auth.
	LimitManagement, LimitRequests gin.HandlerFunc
	// Noting wraps the rate limit of a public route and notes where its requests come from.
	Noting func(limit gin.HandlerFunc) gin.HandlerFunc
	// ReadYourWrites holds the answer to a change back until devices are served the change, nil for not at all.
	ReadYourWrites gin.HandlerFunc
	// OnError is the answer to the error of an operation.
	OnError func(context.Context, error) error
	// Answers stores the answers to requests with an Idempotency-Key.
	Answers Idempotency
	// Transactions make a change depend on If-Match.
	Transactions Transactions
	// Pending is an example of the answer to a call that waits for approvals.
	Pending any
}

// mux mounts routes on Gin, each behind its middlewares, and collects the OpenAPI
// document. It is huma's adapter to Gin.
type mux struct {
	*gin.Engine
	guards   Guards
	tracer   trace.Tracer
	api      huma.API
	observer observer
	rows     []route
	compress gin.HandlerFunc
	// preflights are the paths whose preflights are answered.
	preflights map[string]bool
}

// newMux makes a mux without routes, which collects into document. tracer, which may be nil, traces management requests.
func newMux(
	engine *gin.Engine, document *huma.OpenAPI, g Guards, log *slog.Logger, metrics prometheus.Registerer, tracer trace.Tracer,
) (*mux, error) {
	compress, err := compress()
	if err != nil {
		return nil, fmt.Errorf("api: compression: %w", err)
	}
	m := &mux{
		Engine: engine, guards: g, tracer: tracer, observer: newObserver(log, metrics), compress: compress,
		preflights: map[string]bool{},
	}
	json := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: unmarshalJSON}
	m.api = huma.NewAPI(huma.Config{
		OpenAPI:       document,
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

// add mounts and documents routes.
func (m *mux) add(routes []route) {
	for _, r := range routes {
		m.rows = append(m.rows, r)
		for _, t := range r.schemas {
			m.api.OpenAPI().Components.Schemas.Schema(t, true, "")
		}
		r.serve(m, r)
	}
}

// mount puts handlers behind the route's middlewares. limit, which may be nil for a public route, runs before
// the key is looked up.
func (m *mux) mount(r route, limit gin.HandlerFunc, serve ...gin.HandlerFunc) {
	level := slog.LevelInfo
	if !r.access.managed() {
		level = slog.LevelDebug // devices send many requests
	}
	chain := []gin.HandlerFunc{m.observer.watch(r.method, r.path, level, r.access.managed())}
	if r.access.managed() && m.tracer != nil {
		chain = append(chain, traced(m.tracer, r.method, r.path))
	}
	path := strings.NewReplacer("{", ":", "}", "").Replace(r.path)
	if r.crossOrigin() {
		chain = append(chain, allowAnyOrigin)
		m.answerPreflights(path)
	}
	aboutPeople := strings.HasPrefix(r.path, "/v1/auth/")
	switch {
	case r.access.managed():
		limit = m.guards.LimitManagement
	case aboutPeople:
		limit = m.guards.LimitRequests
	}
	if limit != nil {
		chain = append(chain, limit)
	}
	if aboutPeople {
		chain = append(chain, m.guards.AboutPeople)
	}
	if r.access == client {
		chain = append(chain, m.guards.AuthorizeClient)
	} else {
		chain = append(chain, m.guards.Authorize(r.access))
	}
	if r.closedToChannelKeys() {
		chain = append(chain, refuseChannelKeys)
	}
	if r.access.managed() {
		chain = append(chain, checkText)
		if r.method != http.MethodGet && r.access != person && m.guards.ReadYourWrites != nil {
			chain = append(chain, m.guards.ReadYourWrites)
		}
	}
	if r.id != nil {
		chain = append(chain, r.id.resolve)
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
	if r.asks {
		serve = keepBody(serve)
	}
	if op.Metadata[metaSensitive] == true {
		serve = m.guards.Recently(serve)
	}
	switch {
	case r.keyed():
		m.mount(r, nil, keyedRequests{m.guards.Answers}.body(serve, op.Metadata[metaRepeatable] == true))
	case r.method == http.MethodGet:
		m.mount(r, nil, m.compress, serve)
	case r.conditional():
		m.mount(r, nil, m.ifMatch(r.current, serve))
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
				return nil, m.guards.OnError(ctx, err)
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
			limit = m.guards.Noting(limit)
		}
		m.mount(r, limit, serve...)
	}
}
