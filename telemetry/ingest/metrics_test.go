package ingest

import (
	"os"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
)

func TestEveryIngestMetricIsInTheDocuments(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	o := testOptions(t, newMemorySink())
	o.Registerer = registry
	openTestIngest(t, o)
	text, err := os.ReadFile("../../docs/operations/metrics.md")
	require.NoError(t, err)
	families, err := registry.Gather()
	require.NoError(t, err)
	names := map[string]bool{}
	for _, f := range families {
		names[f.GetName()] = true
		require.Contains(t, string(text), "`"+f.GetName(), "the metric is not documented")
	}
	for _, depth := range []string{
		"waft_ingest_log_entries", "waft_ingest_log_bytes", "waft_ingest_oldest_report_seconds", "waft_ingest_refused_total",
	} {
		require.True(t, names[depth], depth)
	}
}
