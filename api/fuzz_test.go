package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/device"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/models"
)

// fuzzed is an API over fakes that notes when a handler passes on input that the domain would refuse.
type fuzzed struct {
	handler http.Handler
	rootKey string
	// owner is the token of an owner's session, for calls about a person.
	owner string
	// every contains all routes in a stable order, and rows only the routes that accept a key.
	every, rows []rest.Route
	docs        map[string]*huma.Operation

	invalid error
	asked   models.Page
	filter  models.ReleaseFilter
}

// newFuzzed returns one API for all inputs of a fuzz target, because creating it takes longer than thousands of
// requests.
func newFuzzed(change ...func(*parts)) func(t *testing.T) *fuzzed {
	var once sync.Once
	f := &fuzzed{docs: map[string]*huma.Operation{}}
	return func(t *testing.T) *fuzzed {
		t.Helper()
		once.Do(func() {
			w := newTestAPI(t, append(change, withoutDelay)...)
			f.handler, f.rootKey, f.owner = w.handler, w.rootKey, w.owner
			f.watch(w.store)
			m := documentedRoutes(t)
			for _, r := range m.Rows {
				f.docs[r.Method+" "+r.Path] = documented(m.API.OpenAPI(), r)
				f.every = append(f.every, r)
			}
			slices.SortFunc(f.every, func(a, b rest.Route) int { return strings.Compare(a.Method+a.Path, b.Method+b.Path) })
			f.rows = slices.DeleteFunc(slices.Clone(f.every), func(r rest.Route) bool { return !r.Access.Managed() })
		})
		f.invalid, f.asked, f.filter = nil, models.Page{}, models.ReleaseFilter{}
		return f
	}
}

// withoutDelay lets event streams end after their first event.
func withoutDelay(d *parts) {
	ended, end := context.WithCancel(context.Background())
	end()
	d.Streams = ended
}

// watch makes the fakes check the input that they get.
func (f *fuzzed) watch(store *fakes) {
	store.publish = func(p models.Publish) (models.Release, error) {
		f.invalid = p.Validate()
		return models.Release{}, nil
	}
	store.updateRelease = func(id int64, patch models.ReleasePatch) (models.Release, error) {
		f.invalid = patch.Validate()
		return models.Release{ID: id}, nil
	}
	store.createChannel = func(n models.NewChannel) (models.Channel, error) {
		f.invalid = n.Validate()
		return models.Channel{}, nil
	}
	store.updateChannel = func(name string, patch models.ChannelPatch) (models.Channel, error) {
		f.invalid = patch.Validate()
		return models.Channel{Name: name}, nil
	}
	store.createPolicy = func(n models.NewRolloutPolicy) (models.RolloutPolicy, error) {
		n.Normalize()
		f.invalid = n.Validate()
		return models.RolloutPolicy{}, nil
	}
	store.createProject = func(_ models.Actor, n models.NewProject) (models.Project, error) {
		n.Normalize()
		f.invalid = n.Validate()
		return demo, nil
	}
	store.createAPIKey = func(n models.NewAPIKey, _ models.APIKeyToken) (models.APIKey, error) {
		f.invalid = n.Validate(now)
		return models.APIKey{}, nil
	}
	store.listReleases = func(filter models.ReleaseFilter, p models.Page) ([]models.Release, error) {
		f.filter, f.asked = filter, p
		return releasePages(1000)(filter, p)
	}
}

// taking returns the routes whose body is JSON.
func (f *fuzzed) taking() []rest.Route {
	return slices.DeleteFunc(slices.Clone(f.rows), func(r rest.Route) bool {
		body := f.docs[r.Method+" "+r.Path].RequestBody
		return body == nil || body.Content["application/json"] == nil
	})
}

// listing returns the routes that return pages.
func (f *fuzzed) listing() []rest.Route {
	return slices.DeleteFunc(slices.Clone(f.rows), func(r rest.Route) bool {
		return !slices.ContainsFunc(f.docs[r.Method+" "+r.Path].Parameters, func(p *huma.Param) bool { return p.Name == "before" })
	})
}

// call sends a request as the root key and checks the properties of every response.
func (f *fuzzed) call(t *testing.T, method, path, query, body string) *httptest.ResponseRecorder {
	t.Helper()
	req := httptest.NewRequest(method, "/", strings.NewReader(body))
	req.URL = &url.URL{Path: path, RawQuery: query}
	if unescaped, err := url.PathUnescape(path); err == nil && unescaped != path {
		req.URL.Path, req.URL.RawPath = unescaped, path
	}
	req.Header.Set("Authorization", "Bearer "+f.rootKey)
	req.Header.Set("X-Project", demo.Slug)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("If-Match", "*") // for the routes that require it
	answer := f.serve(t, req, body)
	require.NoError(t, f.invalid, "%s %s passed on what the domain refuses: %q", method, path, body)
	return answer
}

// serve sends a request and checks the properties of every response. body is the request's body, for messages.
func (f *fuzzed) serve(t *testing.T, req *http.Request, body string) *httptest.ResponseRecorder {
	if path := req.URL.Path; strings.HasPrefix(path, "/v1/auth/") || path == "/v1/me" {
		req.Header.Del("Authorization")
		req.AddCookie(&http.Cookie{Name: access.SessionCookie, Value: f.owner})
	}
	t.Helper()
	answer := httptest.NewRecorder()
	f.handler.ServeHTTP(answer, req)

	require.Less(t, answer.Code, 500, "%s %s %v %q: %s", req.Method, req.URL, req.Header, body, answer.Body)
	require.True(t, utf8.Valid(answer.Body.Bytes()), "the answer is no UTF-8: %q", answer.Body)
	if answer.Code < 400 {
		return answer
	}
	if strings.HasPrefix(req.URL.Path, "/ofrep/v1/evaluate/flags") && answer.Header().Get("Content-Type") == "application/json" {
		var e device.OFREPError // which OFREP uses instead of problems
		require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &e))
		require.NotEmpty(t, e.ErrorCode)
		require.NotEmpty(t, e.ErrorDetails)
		return answer
	}
	require.Equal(t, "application/problem+json", answer.Header().Get("Content-Type"))
	var p rest.Problem
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &p))
	require.Equal(t, answer.Code, p.Status)
	require.NotEmpty(t, p.Code)
	require.NotEmpty(t, p.Detail)
	require.NotEmpty(t, p.RequestID)
	seen := map[string]bool{}
	for _, e := range p.Errors {
		require.NotEmpty(t, e.Message)
		require.False(t, seen[e.Field], "the field %q is blamed twice", e.Field)
		seen[e.Field] = true
	}
	return answer
}

// filled puts ordinary ids and names into a route's path.
func filled(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		switch {
		case !strings.HasPrefix(part, "{"):
		case strings.HasSuffix(strings.ToLower(part), "id}"):
			parts[i] = "17"
		case part == "{slug}", part == "{projectSlug}":
			parts[i] = demo.Slug
		default:
			parts[i] = "next"
		}
	}
	return strings.Join(parts, "/")
}

// Every endpoint responds to every body: it accepts JSON documents that the domain also accepts, or returns an error
// about the body.
func FuzzBody(f *testing.F) {
	for _, body := range []string{
		``, `{}`, `null`, `[]`, `5`, `{`, `{"name":"a"}`, `{"name":"a"}{"name":"b"}`, `{"name":"a","name":1}`, `{"NAME":"a","zzz":null}`,
		`{"name":"\u0000"}`, `{"name":"\ud800"}`, "{\"name\":\"\xff\"}", `{"name":` + strings.Repeat(`[`, 10000),
		`{"buildId":1,"channel":"production","rolloutPercentage":1e400}`, `{"buildId":12,"channel":"production","rolloutPercentage":33.3333}`,
		`{"buildId":9223372036854775808,"branchName":"a","groupId":"x"}`, `{"channel":"production","linkedFlags":[{"flagId":-1,"enabled":null}]}`,
		`{"rolloutBranchName":null,"rolloutPercentage":0}`, `{"isEnabled":null,"releaseMessage":null}`,
		`{"name":"p","stages":[{"percentage":10,"minDevices":1,"minDurationMinutes":0.5},{"percentage":100}],"thresholds":{"crashRate":2,"action":"gate"}}`,
		`{"name":"p","stages":[null],"thresholds":null}`, `{"name":"p","stages":[{"percentage":-0.0}]}`,
		`{"name":"k","role":"admin","expiresAt":"0001-01-01T00:00:00Z"}`, `{"name":"k","role":"viewer","expiresAt":"2999-12-31T23:59:60Z"}`,
		`{"policyId":1,"updateId":2}`, `{"revert":false,"reason":"x"}`, `{"url":"http://[::1","events":["*",""],"secret":""}`,
		`{"kind":"user","targetingKey":"k","attributes":{"a":{"b":[1,{}]}}}`, `{"userId":"u","branchName":"next"}`,
		`{"key":"k","flagType":"json","defaultValue":"{\"a\":1}","variations":[{"name":"a","value":"1"}]}`,
		`{"ruleType":"percentage_rollout","ruleConfig":{"rollout":[{"variantValue":"a","weight":101}]},"priority":-1}`,
		`{"matchType":"all","name":"s","conditions":[{"attribute":"a","operator":"matches","valuesJson":["("]}]}`,
		`{"runtimeVersion":"1.0.0","platform":"ios","channel":"production","rollbackToUpdateId":0}`,
	} {
		for i := range 4 { // the fuzzer finds the other routes on its own
			f.Add(uint8(i*7), body)
		}
	}
	start := newFuzzed()
	f.Fuzz(func(t *testing.T, index uint8, body string) {
		api := start(t)
		rows := api.taking()
		r := rows[int(index)%len(rows)]
		answer := api.call(t, r.Method, filled(r.Path), "", body)
		if answer.Code < 300 && body != "" {
			require.True(t, json.Valid([]byte(body)), "%s %s took what is no JSON: %q", r.Method, r.Path, body)
		}
	})
}

// Every seed body goes to every route, even without fuzzing.
func TestEveryBodyIsTakenOrRefusedByEveryRoute(t *testing.T) {
	t.Parallel()
	api := newFuzzed()(t)
	require.NotEmpty(t, api.taking())
	for _, r := range api.taking() {
		for _, body := range []string{``, `{}`, `null`, `[]`, `5`, `"x"`, `{`, `{"zzz":1}`, `{"name":"\u0000"}`, "{\"name\":\"\xff\"}", `{} {}`} {
			answer := api.call(t, r.Method, filled(r.Path), "", body)
			if body == `[]` && r.Path == "/v1/ota/trusted-publishers" {
				require.Equal(t, http.StatusOK, answer.Code, "an empty list: %s", answer.Body)
				continue
			}
			if body == `{"zzz":1}` || body == `[]` || body == `5` || body == `{` || body == `{} {}` {
				require.Equal(t, http.StatusBadRequest, answer.Code, "%s %s %s: %s", r.Method, r.Path, body, answer.Body)
			}
		}
	}
}

// For every query, every list returns a page or an error about the query, and the link of a page leads to the next
// page of the same list.
func FuzzQuery(f *testing.F) {
	for _, query := range []string{
		"", "limit=1", "limit=0", "limit=201", "limit=-1", "limit=1e2", "limit=99999999999999999999", "limit=", "limit", "limit=2&limit=3",
		"before=1", "before=0", "before=-5", "before=x", "before=9223372036854775807", "zzz=1", "&&&", "%", "%zz=1", "a=%00", ";", "limit=1;before=2",
		"channel=a%26b&limit=2", "branch=%F0%9F%9A%80&limit=3", "branch=%FF", "platform=windows", "platform=ios&limit=2&before=40",
		"groupId=11111111-2222-4333-8444-555555555555&limit=2", "groupId=x", "isEnabled=TRUE", "isEnabled=false&limit=5",
		"runtimeVersion=" + strings.Repeat("1", 5000), "action=a&entity_type=b&entity_id=c", "kind=user&search=%25_", "LIMIT=5",
	} {
		f.Add(uint8(0), query)
		f.Add(uint8(5), query)
	}
	start := newFuzzed()
	f.Fuzz(func(t *testing.T, index uint8, query string) {
		api := start(t)
		rows := api.listing()
		api.followPages(t, rows[int(index)%len(rows)], query)
	})
}

// followPages reads one page with a query, and the next page by its link.
func (f *fuzzed) followPages(t *testing.T, r rest.Route, query string) {
	t.Helper()
	answer := f.call(t, r.Method, filled(r.Path), query, "")
	if answer.Code != http.StatusOK {
		require.Equal(t, http.StatusBadRequest, answer.Code, "%s", answer.Body)
		return
	}
	if r.Path != "/v1/ota/updates" {
		return
	}
	filter, page := f.filter, f.asked
	require.True(t, page.Limit >= 2 && page.Limit <= 201, "%+v", page)
	require.GreaterOrEqual(t, page.Before, int64(0))
	next := nextPath(t, answer.Header().Get("Link"))
	if next == "" {
		return
	}
	path, nextQuery, _ := strings.Cut(next, "?")
	require.Equal(t, filled(r.Path), path)
	require.Equal(t, http.StatusOK, f.call(t, r.Method, path, nextQuery, "").Code, "the link %s of %q leads nowhere", next, query)
	require.Equal(t, filter, f.filter, "the link %s of %q loses the filter", next, query)
	require.Equal(t, page.Limit, f.asked.Limit)
	require.Positive(t, f.asked.Before)
}

// A name or an ID in a path that cannot exist gets the same error as a missing record.
func FuzzPath(f *testing.F) {
	for _, segment := range []string{
		"17", "0", "-1", "1e3", "+5", "017", "9223372036854775808", "next", "a%2Fb", "%00", "%FF", "..", ".", "%20", "ü", "%E2%80%AE",
		"18446744073709551617", strings.Repeat("a", 3000), "11111111-2222-4333-8444-555555555555", "?", "#", "%", "a b",
	} {
		f.Add(uint8(1), segment)
		f.Add(uint8(9), segment)
	}
	start := newFuzzed()
	f.Fuzz(func(t *testing.T, index uint8, segment string) {
		api := start(t)
		if segment == "" || strings.ContainsAny(segment, "/") {
			return // another path altogether
		}
		rows := slices.DeleteFunc(slices.Clone(api.rows), func(r rest.Route) bool {
			return !strings.Contains(r.Path, "{") || strings.HasSuffix(r.Path, "/stream") // streams do not end
		})
		r := rows[int(index)%len(rows)]
		parts := strings.Split(r.Path, "/")
		for i, part := range parts {
			if strings.HasPrefix(part, "{") {
				parts[i] = segment
			}
		}
		api.call(t, r.Method, strings.Join(parts, "/"), "", "{}")
	})
}

// storing lets uploads keep their files in a folder.
func storing(t testing.TB) func(*parts) {
	t.Helper()
	bucket, err := assets.Open(t.Context(), "file://"+t.TempDir(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, bucket.Close()) })
	return func(d *parts) { d.Stager = bucket }
}

// seedForm is an upload whose parts are divided by the boundary x.
const seedForm = "--x\r\nContent-Disposition: form-data; name=\"platform\"\r\n\r\nios\r\n" +
	"--x\r\nContent-Disposition: form-data; name=\"runtimeVersion\"\r\n\r\n1.0.0\r\n" +
	"--x\r\nContent-Disposition: form-data; name=\"assets\"; filename=\"index.hbc\"\r\n\r\nbundle\r\n--x--\r\n"

// sent is the variable input of a request to a route.
type sent struct{ segment, query, header, body string }

const deviceHeaders = "Expo-Platform: ios\nExpo-Runtime-Version: 1.0.0\nExpo-Channel-Name: production\nExpo-Protocol-Version: "

var sentSeeds = []sent{
	{"demo", "", deviceHeaders + "1\nAccept: multipart/mixed", ""},
	{"demo", "channel=production", deviceHeaders + "0\nAccept: application/expo+json\nEas-Client-Id: A", ""},
	{"demo", "channel=production", deviceHeaders + "1\nExpo-Extra-Params: client-device-id=\"a\", client-user-id=1;x\nExpo-Expect-Signature: sig, keyid=\"main\", alg=\"x\"", ""},
	{"demo", "", deviceHeaders + "9\nAccept: */*;q=0, text/html;q=2\nExpo-Current-Update-Id: " + rest.ExampleUUID + "\nExpo-Recent-Failed-Update-Ids: \"" + rest.ExampleUUID + "\", x", ""},
	{releasedMD5, "platform=ios", "Range: bytes=5-2\nIf-None-Match: W/\"x\", *\nAccept-Encoding: br;q=1, gzip;q=0\nA-Im: bsdiff\nIf-Range: x", ""},
	{"17", "days=7&period=1h&limit=2&before=0&cursor=%ff&page=0", "Idempotency-Key: a\nX-Request-Id: \x01\nTraceparent: 00-0-0-0", `{"reason":"x"}`},
	{rest.ExampleUUID, "days=31&page=99999999999999999999", "X-Project: other", `{"channels":["production"]}`},
	{"rollout%2Fdemo%2F21", "channel=%00", "Authorization: Bearer waft_aaaaaaaa_x", `{}`},
	{"%00", "a=%zz;b", "Content-Type: text/plain; charset=\"", "\x00"},
	{"%FF", "&&=", "Content-Type: multipart/form-data; boundary=x", seedForm},
	{"next", "", "Content-Type: multipart/form-data; boundary=x", seedForm[:150]},
	{"production", "", "Content-Encoding: gzip\nContent-Type: application/json", "\x1f\x8b\x08"},
	{"production", "", "Content-Type: application/json", `{"projectSlug":"demo","deviceId":"a","platform":"ios","runtimeVersion":"1","events":[{"type":"crash","count":0}]}`},
	{"production", "", "Content-Type: application/json", `{"projectSlug":"demo","channel":"production","deviceId":"a","targetingKey":"k","attributes":{"a":[null,{}]},"evaluations":[]}`},
	{"production", "", "Content-Type: application/json", `{"context":{"targetingKey":"k","a":1e999}}`},
}

// FuzzRequest sends anything to any route, public or not: in its path, query, headers and body. Every request gets a
// response that is not a server error.
func FuzzRequest(f *testing.F) {
	for i, s := range sentSeeds {
		for step := range 6 { // the fuzzer finds the other routes on its own
			f.Add(uint8(i+step*len(sentSeeds)), s.segment, s.query, s.header, s.body)
		}
	}
	start := newFuzzed(storing(f))
	f.Fuzz(func(t *testing.T, index uint8, segment, query, header, body string) {
		api := start(t)
		api.Send(t, api.every[int(index)%len(api.every)], sent{segment, query, header, body})
	})
}

// Every seed goes to every route, even without fuzzing.
func TestEveryRouteAnswersWhateverIsSent(t *testing.T) {
	t.Parallel()
	api := newFuzzed(storing(t))(t)
	for _, r := range api.every {
		for _, s := range sentSeeds {
			api.Send(t, r, s)
		}
	}
}

func (f *fuzzed) Send(t *testing.T, r rest.Route, s sent) {
	t.Helper()
	if s.segment == "" || strings.Contains(s.segment, "/") {
		return // another path altogether
	}
	parts := strings.Split(r.Path, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			parts[i] = s.segment
		}
	}
	path := strings.Join(parts, "/")
	req := httptest.NewRequest(r.Method, "/", strings.NewReader(s.body))
	req.URL = &url.URL{Path: path, RawQuery: s.query}
	if unescaped, err := url.PathUnescape(path); err == nil && unescaped != path {
		req.URL.Path, req.URL.RawPath = unescaped, path
	}
	if r.Access != rest.Public {
		req.Header.Set("Authorization", "Bearer "+f.rootKey)
		req.Header.Set("X-Project", demo.Slug)
	}
	for line := range strings.Lines(s.header) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if sendable(name, value) {
			req.Header.Set(name, value)
		}
	}
	f.serve(t, req, s.body)
}

// sendable reports whether Go's server passes a header on.
func sendable(name, value string) bool {
	token := textproto.CanonicalMIMEHeaderKey(name)
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r != '-' && (r < '0' || r > 'z') }) {
		return false
	}
	return token != "" && !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}
