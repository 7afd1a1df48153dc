package e2e

import (
	"encoding/csv"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
)

// exportsTheAuditLog exports all entries in both formats. They must equal the entries of the list, and the last line
// must count them.
func (p *tenant) exportsTheAuditLog() {
	p.t.Helper()
	var entries int
	p.sqlValue("SELECT count(*) FROM audit_log WHERE project_id = $1", &entries, p.id)

	exported := p.do(at("/v1/ota/audit-log/export?format=jsonl").get())
	require.Equal(p.t, "application/x-ndjson", exported.header.Get("Content-Type"))
	lines := strings.Split(strings.TrimSuffix(exported.body, "\n"), "\n")
	require.JSONEq(p.t, `{"end": true, "entries": `+strconv.Itoa(entries)+`}`, lines[len(lines)-1])
	require.Len(p.t, lines, entries+1)
	for i, entry := range p.list("/v1/ota/audit-log?limit=200") {
		var line object
		require.NoError(p.t, json.Unmarshal([]byte(lines[i]), &line))
		require.Equal(p.t, entry, line)
	}

	exported = p.do(at("/v1/ota/audit-log/export?format=csv").get())
	require.Contains(p.t, exported.header.Get("Content-Disposition"), "audit-"+p.slug+".csv")
	records, err := csv.NewReader(strings.NewReader(exported.body)).ReadAll()
	require.NoError(p.t, err)
	require.Len(p.t, records, entries+2)
	require.Equal(p.t, []string{"# end", strconv.Itoa(entries)}, records[len(records)-1][:2])
	seen := map[string]bool{}
	for _, record := range records[1 : len(records)-1] {
		require.False(p.t, seen[record[0]], "an entry is exported twice")
		seen[record[0]] = true
	}

	const filters = "actor=rollout&action=update.patched&entity_id=3&from=2026-01-20T00:00:00Z&to=2026-03-20T00:00:00Z"
	filtered := p.do(at("/v1/ota/audit-log/export?%s", filters).get())
	var want int
	p.sqlValue(`SELECT count(*) FROM audit_log WHERE project_id = $1 AND action = 'update.patched' AND entity_id = '3'
		AND created_at >= timestamptz '2026-01-20Z' AND created_at < timestamptz '2026-03-20Z'`, &want, p.id)
	require.Greater(p.t, want, 100)
	require.Equal(p.t, want+1, strings.Count(filtered.body, "\n"))
}
