package api

import (
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel/trace"

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
func (r route) keyed() bool { return r.method == post && r.access != public }

// endpoint mounts and documents what serves a route.
type endpoint func(*mux, route)

// repeatable marks an endpoint whose work is not one Postgres transaction and is
// harmless to do again; see keyedRequests.answerRepeatable.
func repeatable(e endpoint) endpoint {
	return func(m *mux, r route) {
		m.repeatable[r.method+" "+r.path] = true
		e(m, r)
	}
}

// mux mounts routes on Gin, each behind the middlewares that its row asks for,
// and collects the OpenAPI document. It is the adapter between huma and Gin.
type mux struct {
	*gin.Engine
	api     huma.API
	gate    gate
	observe observer
	keyed   keyedRequests
	// readYourWrites is the middleware of every change.
	readYourWrites gin.HandlerFunc
	ids            identifiers
	// tracer is nil when requests are not traced.
	tracer trace.Tracer
	rows   map[string]route // by method and path
	// repeatable has the method and path of endpoints marked so.
	repeatable map[string]bool
}

func newMux(engine *gin.Engine, g gate, o observer, keyed keyedRequests, readYourWrites gin.HandlerFunc, ids identifiers) *mux {
	m := &mux{
		Engine: engine, gate: g, observe: o, keyed: keyed, readYourWrites: readYourWrites, ids: ids,
		rows: map[string]route{}, repeatable: map[string]bool{},
	}
	m.api = huma.NewAPI(huma.Config{
		OpenAPI:       newDocument(),
		Formats:       map[string]huma.Format{"application/json": jsonFormat, "json": jsonFormat},
		DefaultFormat: "application/json",
		// A misspelt filter must not look like one that matches everything.
		RejectUnknownQueryParameters: true,
	}, m)
	engine.NoRoute(m.observe.watch("any", "unmatched", slog.LevelInfo), func(c *gin.Context) {
		fail(c, models.Errorf(models.CodeNotFound, "there is nothing at this path; /docs lists what there is"))
	})
	engine.NoMethod(m.observe.watch("any", "unmatched", slog.LevelInfo), func(c *gin.Context) {
		fail(c, models.Errorf(codeMethodNotAllowed, "this path takes %s only", c.Writer.Header().Get("Allow")))
	})
	return m
}

var jsonFormat = huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: unmarshalJSON}

// add mounts the rows of a table.
func (m *mux) add(routes []route) {
	for _, r := range routes {
		m.rows[r.method+" "+r.path] = r
		r.serve(m, r)
	}
	m.ids.document(m.api.OpenAPI(), routes)
}

// mount puts handlers behind the row's middlewares.
func (m *mux) mount(r route, handlers ...gin.HandlerFunc) {
	level := slog.LevelInfo
	if r.access == public {
		level = slog.LevelDebug // devices are many
	}
	chain := []gin.HandlerFunc{m.observe.watch(r.method, r.path, level)}
	if r.access != public && m.tracer != nil {
		chain = append(chain, traced(m.tracer, r.method, r.path))
	}
	chain = append(chain, m.gate.guard(r.access))
	if r.access != public {
		chain = append(chain, wellFormed)
	}
	if r.access != public && r.method != get {
		chain = append(chain, m.readYourWrites)
	}
	if i, ok := m.ids.of(r); ok {
		chain = append(chain, i.resolve)
	}
	m.Engine.Handle(r.method, strings.NewReplacer("{", ":", "}", "").Replace(r.path), append(chain, handlers...)...)
}

// Handle mounts an operation that huma registered.
func (m *mux) Handle(op *huma.Operation, handle func(huma.Context)) {
	name := op.Method + " " + op.Path
	row := m.rows[name]
	serve := func(c *gin.Context) {
		lowerMediaType(c.Request)
		handle(humagin.NewContext(op, c))
	}
	if row.keyed() {
		serve = m.keyed.body(serve, m.repeatable[name])
	}
	m.mount(row, serve)
}

// lowerMediaType makes the body's media type one that huma knows, whatever its case.
func lowerMediaType(r *http.Request) {
	media, params, found := strings.Cut(r.Header.Get("Content-Type"), ";")
	if lower := strings.ToLower(media); lower != media {
		if found {
			lower += ";" + params
		}
		r.Header.Set("Content-Type", lower)
	}
}

// operation serves a route through huma: the types say what comes in and goes
// out, and handle is called with input that holds by them.
func operation[I, O any](doc huma.Operation, handle func(context.Context, *I) (*O, error)) endpoint {
	return func(m *mux, r route) {
		op := describe(r, doc)
		op.MaxBodyBytes = maxOperationBytes + 1 // huma refuses a body that reaches the limit
		op.BodyReadTimeout = -1                 // Limits.BodyTime does better, see timedBody
		huma.Register(m.api, op, func(ctx context.Context, in *I) (*O, error) {
			ctx, cancel := context.WithTimeout(ctx, operationTime)
			defer cancel()
			out, err := handle(ctx, in)
			if err != nil {
				return nil, problemOf(ctx, err)
			}
			return out, nil
		})
		addExamples[I, O](documented(m.api.OpenAPI(), r))
	}
}

// plain serves a route with Gin handlers: what is hot, or streams.
func plain(doc huma.Operation, handlers ...gin.HandlerFunc) endpoint {
	return func(m *mux, r route) {
		op := describe(r, doc)
		m.api.OpenAPI().AddOperation(&op)
		m.mount(r, handlers...)
	}
}

var _ huma.Adapter = (*mux)(nil)
var _ http.Handler = (*mux)(nil)

// answering is plain for a handler that answers with an R.
func answering[R any](doc huma.Operation, handlers ...gin.HandlerFunc) endpoint {
	return func(m *mux, r route) {
		m.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[R](), true, "")
		plain(doc, handlers...)(m, r)
	}
}

// receiving is plain for a handler that reads a B as JSON by itself.
func receiving[B exampler](doc huma.Operation, handlers ...gin.HandlerFunc) endpoint {
	return func(m *mux, r route) {
		var b B
		schema := m.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[B](), true, "")
		doc.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/json": {Schema: schema, Example: b.example()},
		}}
		plain(doc, handlers...)(m, r)
	}
}
