package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/models"
)

// TestAFloodOfPreviewsHoldsUpNobody sends more previews at the same time than the server has connections to Postgres,
// as a viewer, while the project is locked. The previews get responses, and requests of other projects and changes of
// this project are not delayed.
func TestAFloodOfPreviewsHoldsUpNobody(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	other := p.tenant(t)
	locked, err := p.postgres().Begin(t.Context())
	require.NoError(t, err)
	_, err = locked.Exec(t.Context(), "SELECT FROM projects WHERE id = $1 FOR UPDATE", p.id)
	require.NoError(t, err)
	watch := p.postgres()
	waiting := func() (n int) {
		err := watch.QueryRow(t.Context(),
			"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&n)
		require.NoError(t, err)
		return n
	}
	pause := request{method: http.MethodPatch, path: "/v1/ota/channels/production", body: object{"isPaused": true}}
	var previews errgroup.Group
	statuses := make([]int, 100)
	for i := range statuses {
		previews.Go(func() error {
			r := pause
			r.method, r.path, r.key = http.MethodPost, r.path+"/preview", p.keys[models.RoleViewer]
			a, err := p.send(http.DefaultClient, r)
			statuses[i] = a.status
			return err
		})
	}
	for range 3 {
		other.do(pause).record(http.StatusOK)
		require.LessOrEqual(t, waiting(), 1)
	}
	require.NoError(t, previews.Wait())
	require.Contains(t, statuses, http.StatusOK, "the project is still locked")
	for _, status := range statuses {
		require.Contains(t, []int{http.StatusOK, http.StatusTooManyRequests, http.StatusServiceUnavailable}, status)
	}
	require.NoError(t, locked.Rollback(t.Context()))
	require.Equal(t, true, p.do(pause).record(http.StatusOK)["isPaused"])
}
