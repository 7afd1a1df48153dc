package api

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/manage/project"
	"github.com/waft-ota/waft/models"
)

// auditPages is a log of so many entries, whose pages fail after some.
type auditPages struct {
	entries, failsAfter int
	asked               int
}

func (a *auditPages) ListAudit(_ context.Context, _ int64, _ models.AuditFilter, page models.Page) ([]models.AuditEntry, error) {
	a.asked++
	if a.asked > a.failsAfter {
		return nil, models.Unavailable("Postgres", errors.New("away"))
	}
	newest := a.entries
	if page.Before > 0 {
		newest = int(page.Before) - 1
	}
	found := []models.AuditEntry{}
	for id := newest; id > 0 && len(found) < page.Limit; id-- {
		found = append(found, models.AuditEntry{ID: int64(id), Action: "branch.created", ActorName: "=cmd|' /C calc'!A0", CreatedAt: now})
	}
	return found, nil
}

func exportOf(t *testing.T, log project.Audit, query string) (*http.Response, error) {
	t.Helper()
	w := newTestAPI(t, func(d *parts) { d.Audit = log })
	server := httptest.NewServer(w.handler)
	t.Cleanup(server.Close)
	req, err := http.NewRequestWithContext(t.Context(), get, server.URL+"/v1/ota/audit-log/export"+query, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+w.keys[models.RoleViewer])
	req.Header.Set("X-Project", demo.Slug)
	return server.Client().Do(req)
}

// An export that Postgres interrupts ends the connection before the last line.
func TestACutExportIsKnown(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"jsonl", "csv"} {
		res, err := exportOf(t, &auditPages{entries: 5 * 500, failsAfter: 3}, "?format="+format)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, res.StatusCode)
		body, err := io.ReadAll(res.Body)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "the transfer is incomplete")
		require.NotContains(t, string(body), "end")
		require.NoError(t, res.Body.Close())
	}
	res, err := exportOf(t, &auditPages{failsAfter: 0}, "")
	require.NoError(t, err)
	require.Equal(t, http.StatusServiceUnavailable, res.StatusCode, "before the first line it is a problem")
	require.NoError(t, res.Body.Close())
}

func TestCellsAreNoFormulas(t *testing.T) {
	t.Parallel()
	res, err := exportOf(t, &auditPages{entries: 1, failsAfter: 9}, "?format=csv")
	require.NoError(t, err)
	defer res.Body.Close()
	records, err := csv.NewReader(res.Body).ReadAll()
	require.NoError(t, err)
	require.Equal(t, "'=cmd|' /C calc'!A0", records[1][5])
	require.Equal(t, []string{"# end", "1"}, records[2][:2])
}
