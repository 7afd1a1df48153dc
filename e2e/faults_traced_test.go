package e2e

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/waft-ota/waft/internal/app"
)

// traceCollector collects the spans that it receives by OTLP over HTTP.
type traceCollector struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*tracepb.Span
}

func newTraceCollector(t *testing.T) *traceCollector {
	t.Helper()
	c := &traceCollector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var sent collector.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &sent) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, resource := range sent.GetResourceSpans() {
			for _, scope := range resource.GetScopeSpans() {
				c.spans = append(c.spans, scope.GetSpans()...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// paths returns the spans of a trace. Each span is written as the names of its ancestors and its own name, separated by
// " > ".
func (c *traceCollector) paths(trace string) (paths []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	byID := map[string]*tracepb.Span{}
	for _, s := range c.spans {
		if hex.EncodeToString(s.GetTraceId()) == trace {
			byID[string(s.GetSpanId())] = s
		}
	}
	for _, s := range byID {
		path := s.GetName()
		for parent := byID[string(s.GetParentSpanId())]; parent != nil; parent = byID[string(parent.GetParentSpanId())] {
			path = parent.GetName() + " > " + path
		}
		paths = append(paths, path)
	}
	return paths
}

// A publish is one trace, from the caller's request to the activities of its rollout.
func TestAPublishIsOneTrace(t *testing.T) {
	t.Parallel()
	const trace, caller = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	spans := newTraceCollector(t)
	env := settings(t)
	env["OTEL_EXPORTER_OTLP_ENDPOINT"] = spans.URL
	address, stop := startRole(t, env, app.Role{API: true, Worker: true})
	p := installation{url: address, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	policy := p.create("/v1/ota/rollout-policies", p.inStages(0, 0, 20, 100))
	release := p.do(request{
		method: http.MethodPost, path: path("/v1/ota/builds/%d/publish", p.build().id("id")),
		body: object{"channel": "production", "rolloutPolicyId": policy.id("id")},
	}.with("Traceparent", "00-"+trace+"-"+caller+"-01")).record(http.StatusCreated)
	id := release.id("rolloutExecutionId")
	p.awaitRollout(id, has("status", "running"))
	p.gets("a-device", "production")
	p.awaitCommand(id, "cancel", object{"revert": false})
	e := p.awaitRollout(id, has("status", "cancelled"))
	followed(t, env, e["workflowId"])
	stop()

	const workflow = "POST /v1/ota/builds/{id}/publish > transaction > relay rollout.start > StartWorkflow:Rollout > RunWorkflow:Rollout"
	require.Subset(t, spans.paths(trace), []string{
		workflow,
		workflow + " > StartActivity:LoadRollout > RunActivity:LoadRollout",
		workflow + " > StartActivity:ApplyRolloutChange > RunActivity:ApplyRolloutChange > transaction",
	})
	for _, s := range spans.spans {
		if strings.HasPrefix(s.GetName(), "POST /v1/ota/builds/{id}/publish") {
			require.Equal(t, caller, hex.EncodeToString(s.GetParentSpanId()))
		}
		require.NotContains(t, s.GetName(), "manifest", "requests of devices are not traced")
	}
}
