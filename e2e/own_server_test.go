package e2e

import (
	"context"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/lab/ownserver"
)

// TestAnOwnServerLeavesNothingBehind starts a server as `make attack` does, starts a workflow that waits, and ends the
// server.
func TestAnOwnServerLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	binary, err := buildWaftd()
	require.NoError(t, err)
	engines := ownserver.Engines{DatabaseURL: enginetest.Postgres(t), ClickHouseURL: enginetest.ClickHouse(t)}
	engines.TemporalAddress, engines.TemporalNamespace = enginetest.Temporal(t)
	databases := func() (n int) {
		conn, err := pgx.Connect(t.Context(), engines.DatabaseURL)
		require.NoError(t, err)
		defer conn.Close(t.Context())
		require.NoError(t, conn.QueryRow(t.Context(), "SELECT count(*) FROM pg_database WHERE datname LIKE 'own\\_%'").Scan(&n))
		return n
	}
	before := databases()

	t.Run("when it is interrupted", func(t *testing.T) {
		ctx, interrupt := context.WithCancel(t.Context())
		interrupt()
		_, err := ownserver.Prepare(ctx, binary, engines)
		require.ErrorContains(t, err, "cannot be reached")
		require.Equal(t, before, databases())
	})
	t.Run("when its program fails", func(t *testing.T) {
		_, err := ownserver.Prepare(t.Context(), "false", engines) // a program that fails once the databases exist
		require.ErrorContains(t, err, "waftd migrate")
		require.Equal(t, before, databases())
	})
	t.Run("when it has served", func(t *testing.T) {
		server, err := ownserver.Prepare(t.Context(), binary, engines)
		require.NoError(t, err)
		url, err := server.Start(t.Context(), "serve", map[string]string{"WAFT_TRUSTED_PROXIES": "127.0.0.1"})
		require.NoError(t, err)
		require.Equal(t, before+1, databases())
		require.DirExists(t, server.Folder)
		p := installation{url: url, rootKey: server.RootKey, databaseURL: server.DatabaseURL}.tenant(t)
		p.protect("production", 1)
		id := p.pending(p.publishCall())["workflowId"].(string)
		client := dialTemporal(t, map[string]string{
			"TEMPORAL_ADDRESS": engines.TemporalAddress, "TEMPORAL_NAMESPACE": engines.TemporalNamespace,
		})
		listed := func() bool {
			list, err := client.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Query: "WorkflowId = '" + id + "'"})
			require.NoError(t, err)
			return len(list.Executions) > 0
		}
		eventually(t, listed)

		require.NoError(t, server.End())
		require.Equal(t, before, databases())
		_, err = http.Get(url + "/healthz")
		require.ErrorContains(t, err, "refused")
		eventually(t, func() bool { return !listed() })
		require.NoDirExists(t, server.Folder)
	})
}
