// Package rest contains the parts that all calls of the API share: routes and their handlers, the OpenAPI document,
// problems, validation, entity tags, Idempotency-Key, pages of lists, compression, CORS and the request log.
package rest

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

// operationTime is the maximum time of a management call, including its body.
const operationTime = 45 * time.Second

// Route is one row of the table of endpoints. Authentication, the check of the role and the OpenAPI document follow
// from it.
type Route struct {
	Method string
	Path   string // in the syntax of OpenAPI: /v1/ota/builds/{id}
	Access Access
	Serve  endpoint
	// Asks is the name of the call's operation, see package operations, if the operation may have to wait for
	// approvals. It is "" for a call that never waits.
	Asks string
	// ChannelKeys is set if a key limited to some channels may make the call, which is a write. The store then checks
	// that the call changes only these channels. All other writes, including new ones, are closed to such keys.
	ChannelKeys bool
	// ServedLater is set if the call changes what devices get only together with a later call, such as the publish of a build. Its response
	// does not wait until devices are served the change.
	ServedLater bool
	// NeedsIfMatch is set if requests must have If-Match, because they replace a whole record.
	NeedsIfMatch bool
	// Streams is set if the response is an event stream. Neither the request nor its heartbeats extend a session.
	Streams bool
	// ID is an alternative to the numeric {id} in the path, or nil.
	ID *Identifier
	// Schemas are types that the document of a plain route refers to by name.
	Schemas []reflect.Type
}

// keyed reports whether the route's requests may have an Idempotency-Key.
func (r Route) keyed() bool {
	return r.Method == http.MethodPost && r.Access.Managed() && r.Access != Person
}

// endpoint mounts and documents a route.
type endpoint func(*Mux, Route)

// The header of a response to a change that is sent before the process serves the change to devices.
const (
	HeaderServed  = "Waft-Served"
	ServedPending = "pending"
)

// Keys of an operation's metadata.
const (
	metaRoute      = "route"
	metaRepeatable = "repeatable"
	MetaSensitive  = "sensitive"
)

// Repeatable marks an operation that is not one Postgres transaction and is harmless to run again; see
// KeyedRequests.answerRepeatable.
func Repeatable(doc huma.Operation) huma.Operation {
	return Marked(doc, metaRepeatable)
}

// Marked adds a mark to the operation's metadata.
func Marked(doc huma.Operation, mark string) huma.Operation {
	doc.Metadata = maps.Clone(doc.Metadata)
	if doc.Metadata == nil {
		doc.Metadata = map[string]any{}
	}
	doc.Metadata[mark] = true
	return doc
}

// Guards are middlewares of a mux that other packages provide.
type Guards struct {
	// Authorize checks that the caller has the access that a route requires.
	Authorize func(Access) gin.HandlerFunc
	// AuthorizeClient checks the key of a client route.
	AuthorizeClient gin.HandlerFunc
	// AboutPeople is for the routes below /v1/auth.
	AboutPeople gin.HandlerFunc
	// Recently is for operations that a session may call only shortly after its sign-in.
	Recently func(gin.HandlerFunc) gin.HandlerFunc
	// LimitManagement and LimitRequests are the rate limits of management and of the routes below /v1/auth.
	LimitManagement, LimitRequests gin.HandlerFunc
	// Noting wraps the rate limit of a public route and notes the origin of its requests.
	Noting func(limit gin.HandlerFunc) gin.HandlerFunc
	// ReadYourWrites holds the response to a change back until devices are served the change. If it is nil, responses
	// are not held back.
	ReadYourWrites gin.HandlerFunc
	// OnError returns the response to the error of an operation.
	OnError func(context.Context, error) error
	// Answers stores the responses to requests with an Idempotency-Key.
	Answers Idempotency
	// Pending is an example of the response to a call that waits for approvals.
	Pending any
}

// Mux mounts routes on Gin, each behind its middlewares, and collects the OpenAPI document. It is also huma's adapter
// for Gin.
type Mux struct {
	*gin.Engine
	guards   Guards
	tracer   trace.Tracer
	API      huma.API
	observer observer
	Rows     []Route
	compress gin.HandlerFunc
	// preflights are the paths that have a handler for preflights.
	preflights map[string]bool
}

// NewMux returns a mux without routes, which collects its routes' documentation in document. tracer traces management
// requests; it may be nil.
func NewMux(
	engine *gin.Engine, document *huma.OpenAPI, g Guards, log *slog.Logger, metrics prometheus.Registerer, tracer trace.Tracer,
	now func() time.Time,
) (*Mux, error) {
	compress, err := compress()
	if err != nil {
		return nil, fmt.Errorf("api: compression: %w", err)
	}
	m := &Mux{
		Engine: engine, guards: g, tracer: tracer, observer: newObserver(log, metrics, now), compress: compress,
		preflights: map[string]bool{},
	}
	json := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: UnmarshalJSON}
	m.API = huma.NewAPI(huma.Config{
		OpenAPI:       document,
		Formats:       map[string]huma.Format{"application/json": json, "json": json},
		DefaultFormat: "application/json",
		// Otherwise a misspelt filter would match everything.
		RejectUnknownQueryParameters: true,
	}, m)
	observe := m.observer.watch("any", "unmatched", slog.LevelInfo, true)
	engine.NoRoute(observe, func(c *gin.Context) {
		Fail(c, models.Errorf(models.CodeNotFound, "this path does not exist; /docs lists all paths"))
	})
	engine.NoMethod(observe, func(c *gin.Context) {
		Fail(c, models.Errorf(codeMethodNotAllowed, "this path allows only %s", c.Writer.Header().Get("Allow")))
	})
	return m, nil
}

// Add mounts and documents routes.
func (m *Mux) Add(routes []Route) {
	for _, r := range routes {
		m.Rows = append(m.Rows, r)
		for _, t := range r.Schemas {
			m.API.OpenAPI().Components.Schemas.Schema(t, true, "")
		}
		r.Serve(m, r)
	}
}

// mount registers the handlers of an operation behind the route's middlewares. limit runs before the key is looked
// up; it may be nil for a public route.
func (m *Mux) mount(r Route, op *huma.Operation, limit gin.HandlerFunc, serve ...gin.HandlerFunc) {
	level := slog.LevelInfo
	if !r.Access.Managed() {
		level = slog.LevelDebug // devices send many requests
	}
	chain := []gin.HandlerFunc{m.observer.watch(r.Method, r.Path, level, r.Access.Managed())}
	if r.Access.Managed() && m.tracer != nil {
		chain = append(chain, traced(m.tracer, r.Method, r.Path))
	}
	path := strings.NewReplacer("{", ":", "}", "").Replace(r.Path)
	if r.crossOrigin() {
		chain = append(chain, allowAnyOrigin)
		m.answerPreflights(path)
	}
	aboutPeople := strings.HasPrefix(r.Path, "/v1/auth/")
	switch {
	case r.Access.Managed():
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
	if r.Access.Managed() {
		chain = append(chain, noteBackground(r.Streams))
	}
	if r.Access == Client {
		chain = append(chain, m.guards.AuthorizeClient)
	} else {
		chain = append(chain, m.guards.Authorize(r.Access))
	}
	if r.closedToChannelKeys() {
		chain = append(chain, refuseChannelKeys)
	}
	if op.RequestBody == nil {
		chain = append(chain, refuseBody)
	}
	if r.Access.Managed() {
		chain = append(chain, checkText)
		if r.Method != http.MethodGet && r.Access != Person && !r.ServedLater && m.guards.ReadYourWrites != nil {
			chain = append(chain, m.guards.ReadYourWrites)
		}
	}
	if r.ID != nil {
		chain = append(chain, r.ID.resolve)
	}
	m.Engine.Handle(r.Method, path, append(chain, serve...)...)
}

// Handle registers an operation that huma has prepared.
func (m *Mux) Handle(op *huma.Operation, handle func(huma.Context)) {
	r := op.Metadata[metaRoute].(Route)
	serve := func(c *gin.Context) {
		sent := c.GetHeader("Content-Type")
		media, _, _ := strings.Cut(sent, ";")
		// huma accepts only lower case.
		c.Request.Header.Set("Content-Type", strings.ToLower(media)+sent[len(media):])
		CallOf(c.Request.Context()).answer = c.Writer.Header()
		handle(deadlineKeeper{humagin.NewContext(op, c)})
	}
	if op.Metadata[MetaSensitive] == true {
		serve = m.guards.Recently(serve)
	}
	if r.Conditional() {
		serve = r.ifMatch(serve)
	}
	switch {
	case r.keyed():
		m.mount(r, op, nil, KeyedRequests{m.guards.Answers}.body(serve, op.Metadata[metaRepeatable] == true))
	case r.Method == http.MethodGet:
		m.mount(r, op, nil, m.compress, serve)
	default:
		m.mount(r, op, nil, serve)
	}
}

// Operation serves a route through huma, which reads the input and checks it against its type.
func Operation[I, O any](doc huma.Operation, handle Handler[I, O]) endpoint {
	return func(m *Mux, r Route) {
		op := m.describe(r, doc)
		op.Metadata = maps.Clone(doc.Metadata)
		if op.Metadata == nil {
			op.Metadata = map[string]any{}
		}
		op.Metadata[metaRoute] = r
		op.MaxBodyBytes = maxOperationBytes + 1 // huma rejects a body of exactly the limit
		op.BodyReadTimeout = -1                 // 0 would be 5 s; see deadlineKeeper
		addExamples[I, O](&op)
		huma.Register(m.API, op, func(ctx context.Context, in *I) (*O, error) {
			ctx, cancel := context.WithTimeout(ctx, operationTime)
			defer cancel()
			out, err := handle(ctx, in)
			if err != nil {
				return nil, m.guards.OnError(ctx, err)
			}
			setETag(ctx, out)
			return out, nil
		})
	}
}

// Plain serves a route with Gin handlers.
func Plain(doc huma.Operation, serve ...gin.HandlerFunc) endpoint { return Limited(doc, nil, serve...) }

// Limited serves a route that works without a key of a role. Its Gin handlers run behind a rate limit.
func Limited(doc huma.Operation, limit gin.HandlerFunc, serve ...gin.HandlerFunc) endpoint {
	return func(m *Mux, r Route) {
		op := m.describe(r, doc)
		m.API.OpenAPI().AddOperation(&op)
		if limit != nil && r.Access == Public {
			limit = m.guards.Noting(limit)
		}
		m.mount(r, &op, limit, serve...)
	}
}
