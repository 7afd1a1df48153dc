package e2e

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// row describes a successful call of an endpoint, and the refusals that are special to it.
type row struct {
	status int
	// request creates the records that the call needs, and returns the call.
	request func(p *tenant) request
	// refers is true if the body also names records of the project.
	refers bool
	// foreign is true if the path names something for which a project does not have a record.
	foreign bool
	// borrowed returns requests of b with a path of b and records of a in the body, or deeper in the path.
	borrowed func(a, b *tenant) []request
	refusals []refusal
}

type refusal struct {
	why     string
	status  int
	code    models.ErrorCode
	request func(p *tenant) request
}

// route is an operation of the OpenAPI document with its row.
type route struct {
	row
	method, path string
	operation    *openapi3.Operation
	// access is the role that the operation requires, or root, public, session or anyone.
	access string
}

func (r route) String() string { return r.method + " " + r.path }

// management reports whether the route takes a key of a project.
func (r route) management() bool {
	return r.access == "viewer" || r.access == "editor" || r.access == "admin"
}

// public reports whether the route is for devices and clients of flags. OFREP routes require a key, and have errors of
// their own.
func (r route) public() bool { return r.access == "public" || r.access == "client" }

// personal reports whether the route is about the signed-in person or the caller.
func (r route) personal() bool { return r.access == "session" || r.access == "anyone" }

// json reports whether the route takes only a JSON body. An upload also takes a form, and has its own tests.
func (r route) json() bool {
	return r.operation.RequestBody != nil && r.operation.RequestBody.Value.Content["application/json"] != nil &&
		r.operation.RequestBody.Value.Content["multipart/form-data"] == nil
}

// call returns the row's request with the route's method and path.
func (r route) call(p *tenant) request {
	p.t.Helper()
	c := r.request(p)
	c.method = r.method
	if c.path == "" {
		c.path = r.path
	}
	return c
}

// allRoutes joins the document and the rows. The test fails if an endpoint has no row, or a row no endpoint.
func allRoutes(t *testing.T) []route {
	t.Helper()
	doc, err := document()
	require.NoError(t, err)
	rows := map[string]row{}
	for _, table := range tables {
		for name, r := range table {
			require.NotContains(t, rows, name)
			rows[name] = r
		}
	}
	var routes []route
	for _, path := range doc.Paths.InMatchingOrder() {
		operations := doc.Paths.Value(path).Operations()
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			op, name := operations[method], method+" "+path
			r, ok := rows[name]
			require.True(t, ok, "%s is missing in the tables of this package", name)
			delete(rows, name)
			var access string
			require.NoError(t, json.Unmarshal(extension(t, op, "x-waft-access"), &access))
			routes = append(routes, route{row: r, method: method, path: path, operation: op, access: access})
		}
	}
	require.Empty(t, slices.Collect(maps.Keys(rows)), "rows without an endpoint")
	return routes
}

func extension(t *testing.T, op *openapi3.Operation, name string) []byte {
	t.Helper()
	text, err := json.Marshal(op.Extensions[name])
	require.NoError(t, err)
	return text
}

// TestEveryEndpoint calls every endpoint of the server, both correctly and in every way that the endpoint must refuse. With -short, only
// every third endpoint gets the calls that all endpoints must refuse.
func TestEveryEndpoint(t *testing.T) {
	t.Parallel()
	server := installWithPasskeys(t)
	t.Cleanup(func() { requireTrueExamples(t, server.databaseURL) })
	for i, r := range allRoutes(t) {
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			p := server.tenant(t)
			call := r.call(p)
			if i%enginetest.Sized(1, 3) == 0 {
				requireKey(t, p, r, call)
				requireInput(p, r, call)
			}
			for _, refusal := range r.refusals {
				c := refusal.request(p)
				c.method = r.method
				if c.path == "" {
					c.path = r.path
				}
				a := p.do(c)
				require.Equal(t, refusal.status, a.status, "%s: %s", refusal.why, a.body)
				a.problem(refusal.status, refusal.code)
			}
			requireSuccess(t, p, r, call)
		})
	}
}

// requireKey checks that only a key of the project with the required role may call the route.
func requireKey(t *testing.T, p *tenant, r route, call request) {
	t.Helper()
	bad := call.with("Authorization", "Bearer "+models.NewAPIKeyToken().Reveal())
	if r.access == "client" {
		for _, refused := range []request{bad, call.with("Authorization", ""), call.with("Authorization", "Bearer nonsense")} {
			require.Equal(t, "GENERAL", p.do(refused).record(http.StatusUnauthorized)["errorCode"])
		}
		return
	}
	if r.access == "public" {
		require.Equal(t, http.StatusUnauthorized, p.do(bad).status, "a public route also checks the key")
		return
	}
	none := p.do(call.with("Authorization", "").with("Cookie", "")).problem(401, models.CodeUnauthenticated)
	unknown := p.do(bad).problem(401, models.CodeUnauthenticated)
	malformed := p.do(call.with("Authorization", "Bearer nonsense")).problem(401, models.CodeUnauthenticated)
	require.Equal(t, none["detail"], unknown["detail"])
	require.Equal(t, none["detail"], malformed["detail"])
	if r.access == "session" {
		call.session = ""
		p.do(call).problem(403, models.CodeForbidden)
		return
	}
	if r.access == "anyone" {
		return
	}
	if r.access == "root" {
		call.key = p.keys[models.RoleAdmin]
		p.do(call).problem(403, models.CodeForbidden)
		return
	}
	for _, role := range []models.Role{models.RoleViewer, models.RoleEditor} {
		if !role.Allows(models.Role(r.access)) {
			call.key = p.keys[role]
			p.do(call).problem(403, models.CodeForbidden)
		}
	}
	call.key = p.tenant(t).keys[models.RoleAdmin]
	p.do(call).problem(403, models.CodeForbidden)
	call.key = ""
	call.project = "-"
	problem := p.do(call).problem(400, models.CodeInvalid)
	if r.method != http.MethodHead { // a response to HEAD has no body
		require.Equal(t, []string{"X-Project"}, fields(problem))
	}
}

// fields returns the names of the bad fields in a problem.
func fields(problem object) (names []string) {
	errors, _ := problem["errors"].([]any)
	for _, e := range errors {
		names = append(names, e.(map[string]any)["field"].(string))
	}
	return names
}

// requireInput checks that unknown fields and parameters are refused by name.
func requireInput(p *tenant, r route, call request) {
	p.t.Helper()
	switch r.access {
	case "public", "client":
		return
	case "root":
		call.key, call.project = p.rootKey, "-"
	}
	if r.json() {
		var body, other any = object{}, `[]`
		if text := call.text(p.t); text != "" {
			require.NoError(p.t, json.Unmarshal([]byte(text), &body))
		}
		misspelt, field := body, "misspelt"
		if list, ok := body.([]any); ok {
			misspelt, field, other = list[0], "[0].misspelt", `{}`
		}
		if entry, ok := misspelt.(map[string]any); ok {
			entry["misspelt"] = true
		} else {
			misspelt.(object)["misspelt"] = true
		}
		with := func(body any) request {
			c := call
			c.body = body
			return c
		}
		require.Contains(p.t, fields(p.do(with(body)).problem(400, models.CodeInvalid)), field)
		p.do(with(`{"`)).problem(400, models.CodeInvalid)
		p.do(with(other)).problem(400, models.CodeInvalid)
		p.do(with(`{}`).with("Content-Type", "application/xml")).problem(415, models.CodeUnsupportedMedia)
		p.do(with(`{"a":"`+strings.Repeat("x", 1<<20)+`"}`)).problem(413, models.CodeTooLarge)
	}
	if r.operation.RequestBody == nil && r.operation.Responses.Status(200) != nil &&
		r.operation.Responses.Status(200).Value.Content["application/json"] != nil {
		separator := "?"
		if strings.Contains(call.path, "?") {
			separator = "&"
		}
		call.path += separator + "misspelt=1"
		require.Contains(p.t, fields(p.do(call).problem(400, models.CodeInvalid)), "misspelt")
	}
}

// requireSuccess makes the call with the lowest rights that it requires. A POST is sent twice with the same key, and
// must be applied once.
func requireSuccess(t *testing.T, p *tenant, r route, call request) {
	t.Helper()
	switch r.access {
	case "public":
		call = call.with("Authorization", "").with("X-Project", "")
	case "client", "key":
		call.key, call.project = p.keys[models.RoleViewer], "-"
	case "root":
		call.key, call.project = p.rootKey, "-"
	case "session", "anyone":
		call.project = "-"
	default:
		call.key = p.keys[models.Role(r.access)]
	}
	repeatable := r.method == http.MethodPost && !r.public() && r.access != "session"
	if repeatable {
		call = call.with("Idempotency-Key", p.marker)
	}
	first := p.do(call)
	require.Equal(t, r.status, first.status, first.body)
	require.Empty(t, first.header.Get("Idempotency-Replayed"))
	if !repeatable {
		return
	}
	again := p.do(call)
	require.Equal(t, r.status, again.status, again.body)
	require.Equal(t, first.body, again.body)
	require.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
	switch {
	case r.operation.RequestBody == nil: // {} is equivalent to no body
		call.body = "{}"
		require.Equal(t, "true", p.do(call).header.Get("Idempotency-Replayed"))
		return
	case call.header["Content-Type"] != "": // the form of an upload
		other := p.upload()
		call = call.with("Content-Type", other.header["Content-Type"])
		call.body = other.body
	default:
		call.body = call.text(t) + " "
	}
	p.do(call).problem(409, models.CodeIdempotencyMismatch)
}

// TestNoTenantReachesAnother calls every endpoint with the key of one project and the records of another. The responses
// must not reveal anything about the records, and the records must not change. With -short it calls every third endpoint.
func TestNoTenantReachesAnother(t *testing.T) {
	t.Parallel()
	env := settings(t)
	// Without a worker, rollouts do not advance. With this interval, incidents do not change either.
	env["WAFT_INCIDENT_INTERVAL"] = "1h"
	server := installation{
		url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true,
	}
	for i, r := range allRoutes(t) {
		if r.public() || r.personal() || i%enginetest.Sized(1, 3) != 0 {
			continue // see TestAPersonReachesOnlyWhatIsTheirs for personal routes
		}
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			a, b := server.tenant(t), server.tenant(t)
			call := r.call(a)
			before := a.contents()

			call.key, call.project = b.keys[models.RoleAdmin], a.slug
			if r.access == "root" {
				call.project = "-"
			}
			if r.access == "key" { // the key names the project, whatever X-Project says
				require.NotContains(t, b.do(call).body, a.marker)
				return
			}
			refused := b.do(call)
			refused.problem(403, models.CodeForbidden)
			require.NotContains(t, refused.body, a.marker)
			if r.management() {
				call.key, call.project = "", ""
				answer := b.do(call)
				if r.refers || strings.Contains(r.path, "{") && !r.foreign {
					answer.problem(404, models.CodeNotFound)
				}
				require.True(t, strings.Contains(call.text(t), a.marker) || !strings.Contains(answer.body, a.marker), answer.body)
			}
			require.Equal(t, before, a.contents())
			requireNothingBorrowed(t, r, a, b)
		})
	}
}

// requireNothingBorrowed checks that records of b cannot refer to records of a.
func requireNothingBorrowed(t *testing.T, r route, a, b *tenant) {
	t.Helper()
	if r.borrowed == nil {
		return
	}
	calls := r.borrowed(a, b)
	before := a.contents()
	for _, call := range calls {
		call.method = r.method
		if call.path == "" {
			call.path = r.path
		}
		answer := b.do(call)
		require.Contains(t, []int{http.StatusBadRequest, http.StatusNotFound}, answer.status, "%s: %s", call.text(t), answer.body)
		require.NotContains(t, answer.body, a.marker)
	}
	require.Equal(t, before, a.contents())
}
