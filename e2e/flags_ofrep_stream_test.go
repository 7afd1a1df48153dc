package e2e

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// page is a web page that has evaluated all flags over OFREP.
type page struct {
	*tenant
	key     string
	context object
	// etag, address and flags come from the last evaluation in full. stream is the path in address.
	etag, address, stream string
	flags                 map[string]any
}

// openPage evaluates all flags for a context, as a page does when it opens.
func (p *tenant) openPage(key string, context object) *page {
	p.t.Helper()
	v := &page{tenant: p, key: key, context: context}
	require.Equal(p.t, http.StatusOK, v.evaluate("", ""))
	return v
}

// evaluate evaluates all flags again and returns the status. told is the etag of the event that causes it.
func (v *page) evaluate(etag, told string) int {
	v.t.Helper()
	request := request{
		method: http.MethodPost, path: "/ofrep/v1/evaluate/flags", key: v.key, project: "-", body: object{"context": v.context},
	}
	if told != "" {
		request.path += "?flagConfigEtag=" + told
	}
	answer := v.do(request.with("If-None-Match", etag))
	if answer.status != http.StatusOK {
		return answer.status
	}
	body := answer.record(http.StatusOK)
	v.flags, v.etag = map[string]any{}, answer.header.Get("ETag")
	for _, f := range body["flags"].([]any) {
		v.flags[f.(map[string]any)["key"].(string)] = f.(map[string]any)["value"]
	}
	streams := body["eventStreams"].([]any)
	require.Len(v.t, streams, 1)
	stream := streams[0].(map[string]any)
	require.Equal(v.t, "sse", stream["type"])
	require.Equal(v.t, 120.0, stream["inactivityDelaySec"])
	v.address = stream["url"].(string)
	at, err := url.Parse(v.address)
	require.NoError(v.t, err)
	v.stream = at.RequestURI()
	require.NotContains(v.t, v.stream, v.key)
	require.NotContains(v.t, v.stream, "ada")
	return answer.status
}

// follow opens the stream like an EventSource. lastEventID is "" for its first connection.
func (v *page) follow(lastEventID string) refetches {
	v.t.Helper()
	return v.followOver(http.DefaultTransport, v.url, lastEventID)
}

// followOver does the same over a transport to the server at a URL.
func (v *page) followOver(transport http.RoundTripper, server, lastEventID string) refetches {
	v.t.Helper()
	header := http.Header{"Origin": {"https://shop.example"}, "Accept": {"text/event-stream"}}
	if lastEventID != "" {
		header.Set("Last-Event-ID", lastEventID)
	}
	r := refetches{v.followFlagsOver(transport, server+v.stream, header), new(string)}
	require.True(v.t, r.lines.Scan())
	require.Regexp(v.t, `^retry: \d{4,5}$`, r.lines.Text(), "how long an EventSource waits, in milliseconds")
	return r
}

// refetches is an open stream of OFREP.
type refetches struct {
	flagEvents
	// id is the ID of the last event, with or without data.
	id *string
}

// begins reads the ID that a stream begins with.
func (r refetches) begins() {
	r.t.Helper()
	require.True(r.t, r.lines.Scan())
	id, ok := strings.CutPrefix(r.lines.Text(), "id: ")
	require.True(r.t, ok, r.lines.Text())
	*r.id = id
	require.True(r.t, r.lines.Scan())
	require.Empty(r.t, r.lines.Text(), "the client has the current evaluation")
}

// next returns the etag of the next message, and skips heartbeats.
func (r refetches) next() (etag string) {
	r.t.Helper()
	for r.lines.Scan() {
		line := r.lines.Text()
		if id, ok := strings.CutPrefix(line, "id: "); ok {
			*r.id = id
		} else if text, ok := strings.CutPrefix(line, "data: "); ok {
			var message struct{ Type, ETag string }
			require.NoError(r.t, json.Unmarshal([]byte(text), &message), text)
			require.Equal(r.t, "refetchEvaluation", message.Type)
			etag = message.ETag
		} else if line == "" && etag != "" {
			return etag
		} else {
			require.True(r.t, line == "" || strings.HasPrefix(line, ":"), "%q", line)
		}
	}
	require.NoError(r.t, r.lines.Err())
	require.Fail(r.t, "the stream ended")
	return ""
}

func TestOFREPClientsAreToldOfChanges(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	flag := p.create("/v1/ota/flags", object{"key": "b", "flagType": "boolean", "defaultValue": false}).id("id")
	segment := p.create("/v1/ota/segments", object{"name": "testers", "matchType": "all", "conditions": []object{
		{"attribute": "plan", "operator": "eq", "valuesJson": []string{"pro"}},
	}})
	p.settle(flag)
	key := p.key(models.RoleClient)
	v := p.openPage(key, object{"targetingKey": "ada", "plan": "free", "channel": "production"})
	require.Equal(t, map[string]any{"b": false}, v.flags)
	require.True(t, strings.HasPrefix(v.address, p.url+"/ofrep/v1/"), v.address)
	stream := v.follow("")
	stream.begins()
	told := func(value any) {
		t.Helper()
		require.Equal(t, http.StatusOK, v.evaluate(v.etag, stream.next()))
		require.Equal(t, value, v.flags["b"])
	}
	rule := func(body object) int64 {
		t.Helper()
		return p.create(path("/v1/ota/flags/%d/rules", flag), body).id("id")
	}

	// None of these changes affects this page. The next event is about the segment, which does.
	p.settle(flag)
	rule(object{"ruleType": "user_list", "ruleConfig": object{"userIds": "bob"}, "variantValue": "true"})
	rule(object{"ruleType": "user_list", "ruleConfig": object{"userIds": "ada"}, "variantValue": "true", "channelName": "staging"})
	rule(object{"ruleType": "segment", "ruleConfig": object{"segmentKey": segment["key"]}, "variantValue": "true"})
	p.settle(flag)
	require.Equal(t, http.StatusNotModified, v.evaluate(v.etag, ""))
	p.do(request{method: http.MethodPatch, path: path("/v1/ota/segments/%d", segment.id("id")), body: object{"conditions": []object{
		{"attribute": "plan", "operator": "eq", "valuesJson": []string{"free"}},
	}}}).record(http.StatusOK)
	told(true)
	p.do(request{method: http.MethodPatch, path: path("/v1/ota/flags/%d", flag), body: object{"enabled": false}}).record(http.StatusOK)
	told(false)
	second := p.create("/v1/ota/flags", object{"key": "c", "flagType": "boolean", "defaultValue": true}).id("id")
	told(false)
	require.Equal(t, true, v.flags["c"])

	// A change before the stream opens, or while the page is disconnected, is announced when it opens.
	early := p.openPage(key, v.context)
	require.Equal(t, http.StatusNoContent, p.do(request{method: http.MethodDelete, path: path("/v1/ota/flags/%d", second)}).status)
	told(false)
	require.NotContains(t, v.flags, "c")
	opened := early.follow("")
	opened.next()
	again := early.follow(*opened.id)
	require.Equal(t, http.StatusOK, early.evaluate(early.etag, again.next()))
	require.Equal(t, v.flags, early.flags)
	now := early.follow("")
	now.begins()
	back := early.follow(*now.id)
	require.Equal(t, http.StatusNotModified, early.evaluate(early.etag, back.next()), "it may have failed to evaluate after the last event")
}

// A page whose context does not fit in a URL follows every change of its channel.
func TestAnOFREPClientWithALargeContextIsToldOfChanges(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	flag := p.create("/v1/ota/flags", object{"key": "b", "flagType": "boolean", "defaultValue": false}).id("id")
	p.settle(flag)
	v := p.openPage(p.key(models.RoleClient), object{"channel": "production", "text": strings.Repeat("x", 4000)})
	require.Less(t, len(v.stream), 1000)
	stream := v.follow("")
	require.Equal(t, http.StatusNotModified, v.evaluate(v.etag, stream.next()))
	p.settle(flag)
	p.create(path("/v1/ota/flags/%d/rules", flag), object{
		"ruleType": "attribute", "variantValue": "true",
		"ruleConfig": object{"conditions": []object{{"attribute": "text", "operator": "starts_with", "values": []string{"xx"}}}},
	})
	require.Equal(t, http.StatusOK, v.evaluate(v.etag, stream.next()))
	require.Equal(t, true, v.flags["b"])
}

// A stream ends with its key, its channel and its project, and does not open again. All refusals look the same.
func TestAnOFREPStreamEndsWithWhatItIsFor(t *testing.T) {
	t.Parallel()
	server := install(t)
	for name, end := range map[string]func(p *tenant, key object, channel string){
		"the key": func(p *tenant, key object, _ string) {
			require.Equal(t, 204, p.do(request{method: http.MethodDelete, path: path("/v1/ota/api-keys/%d", key.id("id"))}).status)
		},
		"the channel": func(p *tenant, _ object, channel string) {
			require.Equal(t, 204, p.do(request{method: http.MethodDelete, path: "/v1/ota/channels/" + channel}).status)
		},
		"the project": func(p *tenant, _ object, _ string) {
			require.Equal(t, 204, p.do(request{method: http.MethodDelete, path: "/v1/ota/projects/" + p.slug, key: p.rootKey, project: "-"}).status)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := server.tenant(t)
			p.known()
			p.settle(p.create("/v1/ota/flags", object{"key": "b", "flagType": "boolean", "defaultValue": false}).id("id"))
			channel := p.channel()
			key := p.create("/v1/ota/api-keys", object{"name": p.name(), "role": "client"})
			eventually(t, func() bool {
				return p.ofrep(key["key"].(string), "", object{"channel": channel}).status == http.StatusOK
			})
			v := p.openPage(key["key"].(string), object{"channel": channel})
			stream := v.follow("")
			stream.begins()
			end(p, key, channel)
			for stream.lines.Scan() {
				require.True(t, stream.lines.Text() == "" || stream.lines.Text() == ": heartbeat", stream.lines.Text())
			}
			refused := func(path string) string {
				answer := p.do(request{method: http.MethodGet, path: path, project: "-"}.with("Authorization", ""))
				require.NotContains(t, answer.body, v.stream)
				return answer.problem(401, models.CodeUnauthenticated)["detail"].(string)
			}
			require.Equal(t, refused("/ofrep/v1/event-stream?token=AAAA"), refused(v.stream))
		})
	}
}

// Each process opens the streams that another process offers, and reports changes that were made at another process. An
// evaluation for an event has the change, whatever process responds.
func TestOFREPClientsFollowChangesAcrossProcesses(t *testing.T) {
	t.Parallel()
	env := settings(t)
	server := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
	p := server.tenant(t)
	p.known()
	second := maps.Clone(env)
	second["WAFT_DATA_DIR"], second["WAFT_ASSET_BUCKET_URL"] = t.TempDir(), "file://"+t.TempDir()
	elsewhere := *p
	elsewhere.url = serveAPI(t, second)
	flag := p.create("/v1/ota/flags", object{"key": "n", "flagType": "number", "defaultValue": 0}).id("id")
	elsewhere.settle(flag)
	v := elsewhere.openPage(p.key(models.RoleClient), object{"targetingKey": "ada"})
	require.True(t, strings.HasPrefix(v.address, elsewhere.url), v.address)
	here := page{tenant: p, key: v.key, context: v.context, stream: v.stream}
	stream := here.follow("")
	stream.begins()
	for n := range 20 {
		at := []*tenant{p, &elsewhere}[n%2]
		at.do(request{method: http.MethodPatch, path: path("/v1/ota/flags/%d", flag), body: object{"defaultValue": n + 1}}).record(http.StatusOK)
		require.Equal(t, http.StatusOK, v.evaluate(v.etag, stream.next()))
		require.EqualValues(t, n+1, v.flags["n"])
	}
}
