package ingest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// Evaluations must survive a crash like reports, and keep their order and all fields.
func TestEvaluationsAreDurableAndMovedOnce(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	i := openTestIngest(t, o)
	at := time.Date(2026, 3, 14, 9, 26, 53, 589e6, time.UTC)
	sent := []models.FlagEvaluations{
		{ProjectID: 7, FlagKey: "checkout", Channel: "c", Value: "true", Count: 3, ReceivedAt: at, LastAt: at.Add(-time.Hour)},
		{ProjectID: 7, FlagKey: "theme", Channel: "c", Value: "漢字\n'", Count: 1_000_000, ReceivedAt: at, LastAt: at},
	}
	require.NoError(t, i.AppendEvaluations(t.Context(), sent))
	ids := appendReports(t, i, 3)

	image := crashImage(t, o.Dir)
	for range 2 { // the second start finds an empty log
		drain(t, image, sink)
	}
	require.Len(t, sink.evaluations, 1)
	for _, got := range sink.evaluations {
		require.Equal(t, sent, got)
	}
	requireOnce(t, sink, ids)
}
