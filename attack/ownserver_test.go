package main

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// ownAgainst returns an own whose server uses the handler.
func ownAgainst(t *testing.T, answer http.HandlerFunc) *own {
	t.Helper()
	return &own{target: against(t, nil, answer)}
}

func TestEveryLineNamesItsBound(t *testing.T) {
	t.Parallel()
	lines := map[string]bool{}
	name := func(name, bound, line string) {
		require.NotEmpty(t, bound, name)
		require.Contains(t, line, "held     "+name+": it held [bound: "+bound+"]")
		require.False(t, lines[name], "two attacks are named %q", name)
		lines[name] = true
	}
	it := outcome{verdictHeld, "it held"}
	for _, a := range attacks {
		name(a.name, a.bound, a.line(it))
	}
	for _, a := range ownAttacks {
		name(a.name, a.bound, a.line(it))
	}
}

func TestWithoutEnginesNoOwnServerIsStarted(t *testing.T) {
	t.Parallel()
	engines := map[string]string{
		"WAFT_URL": "http://localhost:1", "WAFT_ROOT_KEY": "root", "WAFT_SERVER": "bin/waftd",
		"DATABASE_URL": "postgres://localhost/waft", "CLICKHOUSE_URL": "http://localhost/waft", "TEMPORAL_ADDRESS": "localhost:7233",
	}
	for name, value := range map[string]string{
		"DATABASE_URL": "", "CLICKHOUSE_URL": "clickhouse://localhost:9000/waft", "TEMPORAL_ADDRESS": "temporal.example.com:7233",
		"WAFT_SERVER": "",
	} {
		made, err := newTarget(func(asked string) string {
			if asked == name {
				return value
			}
			return engines[asked]
		})
		require.NoError(t, err)
		_, err = made.startOwn(t.Context())
		require.ErrorAs(t, err, new(skipped))
		require.ErrorContains(t, err, name)
	}
}

func TestACallThatDoesNotWaitIsBroken(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{201: verdictBroken, 202: verdictHeld, 403: verdictUnclear} {
		o := ownAgainst(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(`{"approval": {"id": 7}}`))
		})
		g := &guarded{project: &project{target: o.target}}
		_, err := g.ask(t.Context(), "a call", request{path: "/"})
		require.Equal(t, want, outcomeOf("", err).verdict, status)
	}
}

func TestAnApprovalThatIsNotStaleIsBroken(t *testing.T) {
	t.Parallel()
	for end, want := range map[string]string{
		`{"status": "carried_out"}`:                verdictBroken,
		`{"status": "failed", "error": "a panic"}`: verdictBroken,
		`{"status": "stale"}`:                      verdictBroken, // the change is not named
		`{"status": "stale", "error": "because"}`:  verdictHeld,
	} {
		o := ownAgainst(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(end)) })
		g := &guarded{project: &project{target: o.target}, colleague: human{target: o.target}}
		require.Equal(t, want, outcomeOf("", g.approvedToBeStale(t.Context(), "a call", 7)).verdict, end)
	}
}

func TestARolloutThatEndedHoldsNothing(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"status": "rolled_back", "reason": "a breach"}`:                                                      verdictBroken,
		`{"status": "running", "waitingFor": "threshold", "health": {"devices": 4, "crashedDevices": 1}}`:      verdictHeld,
		`{"status": "completed", "waitingFor": null, "health": {"devices": 4, "crashedDevices": 1, "x": [1]}}`: verdictBroken,
	} {
		b := &battle{project: &project{target: against(t, nil, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) })}}
		detail, err := b.holds(t.Context(), 4, 1, "threshold")
		require.Equal(t, want, outcomeOf(detail, err).verdict, body)
	}
}

func TestALinkThatIsMadeIsBroken(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		303: verdictBroken, 200: verdictBroken, 401: verdictHeld, 403: verdictHeld, 404: verdictUnclear, 500: verdictUnclear,
	} {
		require.Equal(t, want, outcomeOf("", refusedLink(answer{status: status}, nil, "somebody")).verdict, status)
	}
	require.Equal(t, verdictUnclear, outcomeOf("", refusedLink(answer{}, context.Canceled, "somebody")).verdict)
}

func TestAnswersThatTellAccountsApart(t *testing.T) {
	t.Parallel()
	one := func() answer {
		return answer{status: 202, header: http.Header{"Date": {"now"}, "X-Request-Id": {"1"}, "Content-Length": {"0"}}}
	}
	same := one()
	same.header.Set("X-Request-Id", "2")
	require.Empty(t, differ(one(), same))
	longer, other, refused := one(), one(), one()
	longer.body = []byte("sent")
	other.header.Set("Content-Length", "4")
	refused.status = 404
	for _, a := range []answer{longer, other, refused} {
		require.NotEmpty(t, differ(one(), a))
	}
}
