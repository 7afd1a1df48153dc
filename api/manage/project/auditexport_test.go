package project

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// An export holds one page in memory, however long the log is: it is written while it is read.
func TestAnExportIsWrittenPageByPage(t *testing.T) {
	t.Parallel()
	left := int64(4*exportPage + 7)
	var out bytes.Buffer
	sizes := []int{}
	page := func(context.Context, int64) ([]models.AuditEntry, error) {
		entries := make([]models.AuditEntry, min(left, exportPage))
		for i := range entries {
			entries[i].ID = left - int64(i)
		}
		left -= int64(len(entries))
		return entries, nil
	}
	first, err := page(t.Context(), 0)
	require.NoError(t, err)
	require.NoError(t, writeAudit(t.Context(), &jsonLines{json.NewEncoder(&out)}, first, page, auditRecordFor(t.Context()), func() { sizes = append(sizes, out.Len()) }))
	require.Len(t, sizes, 5)
	for i := range sizes[1:] {
		require.Greater(t, sizes[i+1], sizes[i])
	}
	require.Equal(t, 4*exportPage+8, bytes.Count(out.Bytes(), []byte("\n")))
	require.Contains(t, out.String(), `{"end":true,"entries":2007}`)
}

func TestCellsAreNoFormulas(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": "'\r=1", "\n=1": "'\n=1",
		"": "", "ci": "ci", "a=b": "a=b", "'x": "'x",
	} {
		require.Equal(t, want, cellText(text))
	}
}
