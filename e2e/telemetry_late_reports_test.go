package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// Waft does not trust a device's clock. A report counts at the time when it arrives, whether its own time is in the
// past or the future, and even if its release no longer exists.
func TestLateAndFutureReportsCountWhenTheyComeIn(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	gone := r.release()
	disabled := r.release()["updateUuid"]
	require.Equal(t, http.StatusNoContent, r.do(request{method: http.MethodDelete, path: path("/v1/ota/updates/%d", gone.id("id"))}).status)
	begun := time.Now().UTC().Truncate(time.Millisecond)
	sent := 0
	for _, at := range []any{"2099-12-31T23:59:59Z", "1970-01-01T00:00:00Z", -1, 1e300, "yesterday", nil} {
		r.taken(r.report(object{
			"sentAt": at, "timestamp": at, "receivedAt": at, "events": []object{{"type": "app_launch", "count": 1, "at": at, "timestamp": at, "receivedAt": at}},
		}), nil)
		sent++
	}
	for _, update := range []any{gone["updateUuid"], disabled, "0b1f9b2e-7b5c-4f0e-9a55-6d1f6f3c2a10"} {
		r.taken(r.report(object{"updateUuid": update, "deviceId": "late"}), nil)
		sent++
	}
	r.requireBooks(sent, sent, sent)
	listed := r.list("/v1/ota/telemetry/events")
	require.Len(t, listed, sent)
	for _, event := range listed {
		at, err := time.Parse(time.RFC3339, event["receivedAt"].(string))
		require.NoError(t, err)
		require.False(t, at.Before(begun) || at.After(time.Now()), at)
	}
	for _, update := range []any{gone["updateUuid"], disabled} {
		require.Equal(t, 1, sum(r.read("/v1/ota/telemetry/timeseries?period=6h&updateUuid="+update.(string)), "launches"))
	}

	evaluations := func(last any) answer {
		return r.do(request{method: http.MethodPost, path: "/v1/ota/flag-evaluations", body: object{
			"projectSlug": r.slug, "evaluations": []object{{"flagKey": "checkout", "value": true, "count": 1, "lastEvaluatedAt": last}},
		}})
	}
	for _, last := range []any{"2099-12-31T23:59:59Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "1900-01-01T00:00:00+14:00", nil} {
		a := evaluations(last)
		require.Equal(t, http.StatusNoContent, a.status, "%v %s", last, a.body)
	}
	for _, last := range []any{"10000-01-01T00:00:00Z", "yesterday", 7, "2026-02-30T00:00:00Z"} {
		problem := evaluations(last).problem(http.StatusBadRequest, models.CodeInvalid)
		require.Equal(t, "evaluations[0].lastEvaluatedAt", problem["errors"].([]any)[0].(map[string]any)["field"])
	}
	flag := r.list("/v1/ota/flags")[0].id("id")
	var got object
	r.eventually(func() bool {
		got = r.read(path("/v1/ota/flags/%d/evaluations?days=90", flag))
		return got["total"] == 5.0
	})
	last, err := time.Parse(time.RFC3339, got["lastEvaluatedAt"].(string))
	require.NoError(t, err)
	require.False(t, last.Before(begun) || last.After(time.Now()), last)
	today := []string{begun.Format(time.DateOnly), time.Now().UTC().Format(time.DateOnly)}
	counted := 0.0
	for _, day := range got["daily"].([]any) {
		require.Contains(t, today, day.(map[string]any)["date"])
		counted += day.(map[string]any)["count"].(float64)
	}
	require.Equal(t, 5.0, counted)
}
