package reports

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// breadcrumbsRead returns what Waft keeps of the breadcrumbs of an event.
func breadcrumbsRead(t *testing.T, eventType models.HealthEventType, breadcrumbs any) []models.Breadcrumb {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"projectSlug": "demo", "deviceId": "d", "platform": "ios", "runtimeVersion": "1.0.0",
		"events": []any{map[string]any{"type": eventType, "count": 1, "breadcrumbs": breadcrumbs}},
	})
	require.NoError(t, err)
	_, r, err := ParseHealth(body)
	require.NoError(t, err)
	require.Len(t, r.Events, 1)
	return r.Events[0].Breadcrumbs
}

type crumb = map[string]any

func TestBreadcrumbsOfErrorsAndCrashesAreKept(t *testing.T) {
	t.Parallel()
	sent := []crumb{
		{
			"timestamp": "2026-11-29T21:50:44.1239+02:00", "category": "navigation", "message": "to the cart", "level": "debug",
			"data": crumb{"to": "/cart", "n": 2, "none": nil}, "id": 7,
		},
		{"category": "ui.tap"},
		{"message": "paid", "level": "warning"},
	}
	want := []models.Breadcrumb{
		{
			At: time.Date(2026, 11, 29, 19, 50, 44, 123e6, time.UTC), Category: "navigation", Message: "to the cart", Level: models.BreadcrumbDebug,
			Data: models.Texts{{Name: "n", Value: "2"}, {Name: "to", Value: "/cart"}},
		},
		{Category: "ui.tap", Level: models.BreadcrumbInfo},
		{Message: "paid", Level: models.BreadcrumbWarning},
	}
	require.Equal(t, want, breadcrumbsRead(t, models.EventJSError, sent))
	require.Equal(t, want, breadcrumbsRead(t, models.EventCrash, sent))
	require.Empty(t, breadcrumbsRead(t, models.EventCustom, sent))
	require.Empty(t, breadcrumbsRead(t, models.EventAppLaunch, sent))
}

func TestWhatIsWrongWithABreadcrumbIsLeftOut(t *testing.T) {
	t.Parallel()
	for name, sent := range map[string]any{
		"not a list": crumb{"message": "m"}, "a number": 5, "null": nil, "an empty list": []any{},
		"neither category nor message": []any{
			crumb{"level": "error", "data": crumb{"a": "b"}}, crumb{"message": "", "category": 5}, "m", nil, 1, []any{},
		},
	} {
		require.Empty(t, breadcrumbsRead(t, models.EventCrash, sent), name)
	}
	for _, timestamp := range []any{
		"yesterday", "2026-11-29", "2026-11-29T21:50:44", 1_700_000_000, "", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59-01:00", crumb{},
	} {
		sent := []crumb{{"message": "m", "timestamp": timestamp, "level": "fatal", "data": []any{"x"}}}
		want := []models.Breadcrumb{{Message: "m", Level: models.BreadcrumbInfo}}
		require.Equal(t, want, breadcrumbsRead(t, models.EventCrash, sent), timestamp)
	}
	require.Equal(t, []models.Breadcrumb{{Category: "c", Level: models.BreadcrumbError}},
		breadcrumbsRead(t, models.EventCrash, []crumb{{"message": 5, "category": "c", "level": "error", "data": crumb{"a": nil}}}))
}

func TestTheNewestBreadcrumbsAreKept(t *testing.T) {
	t.Parallel()
	var many []any
	for n := range 333 {
		many = append(many, crumb{"message": strconv.Itoa(n)}, 5)
	}
	got := breadcrumbsRead(t, models.EventCrash, many)
	require.Len(t, got, MaxBreadcrumbs)
	require.Equal(t, "283", got[0].Message)
	require.Equal(t, "332", got[49].Message)
}

func TestLongStringsOfABreadcrumbAreCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1000)
	data := crumb{long: long}
	for n := range 30 {
		data["n"+strconv.Itoa(n+10)] = "v"
	}
	got := breadcrumbsRead(t, models.EventCrash, []crumb{{"message": long, "category": long, "data": data}})
	require.Len(t, got, 1)
	require.Equal(t, strings.Repeat("é", 512), got[0].Message)
	require.Equal(t, strings.Repeat("é", 64), got[0].Category)
	require.Len(t, got[0].Data, 16)
	require.Equal(t, models.Text{Name: "n10", Value: "v"}, got[0].Data[0])
	got = breadcrumbsRead(t, models.EventCrash, []crumb{{"message": "m", "data": crumb{long: long}}})
	require.Equal(t, models.Texts{{Name: strings.Repeat("é", 128), Value: strings.Repeat("é", 256)}}, got[0].Data)
}

func TestBreadcrumbsTakeNoMoreSpaceThanAStack(t *testing.T) {
	t.Parallel()
	var large []crumb
	for n := range MaxBreadcrumbs {
		data := crumb{}
		for i := range maxBreadcrumbData {
			data[strconv.Itoa(i)] = strings.Repeat("x", 1000)
		}
		large = append(large, crumb{"message": strconv.Itoa(n), "data": data})
	}
	got := breadcrumbsRead(t, models.EventCrash, large)
	require.Len(t, got, 15, "each has 4,120 bytes")
	require.Equal(t, "35", got[0].Message)
	require.Equal(t, "49", got[14].Message)
	size := 0
	for _, b := range got {
		size += b.Size()
	}
	require.LessOrEqual(t, size, maxStack)
	require.Greater(t, size+got[0].Size(), maxStack)
}
