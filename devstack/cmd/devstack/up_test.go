package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	clickhousego "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

// address reads one of the addresses that devstack wrote down.
func (r *rig) address(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, "engines.env"))
	require.NoError(r.t, err)
	for line := range strings.Lines(string(data)) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+"="); ok {
			return strings.Trim(value, "'")
		}
	}
	require.Fail(r.t, name+" is not written down")
	return ""
}

var project = temporal.NewSearchAttributeKeyKeyword("WaftProject")

// write puts a row or a workflow into every engine, as its users do.
func (r *rig) write(ctx context.Context, n int) {
	t := r.t
	db, err := pgx.Connect(ctx, r.address("DATABASE_URL"))
	require.NoError(t, err)
	defer db.Close(ctx)
	_, err = db.Exec(ctx, "CREATE TABLE IF NOT EXISTS rows (n int)")
	require.NoError(t, err)
	_, err = db.Exec(ctx, "INSERT INTO rows VALUES ($1)", n)
	require.NoError(t, err)

	options, err := clickhousego.ParseDSN(r.address("CLICKHOUSE_URL"))
	require.NoError(t, err)
	events, err := clickhousego.Open(options)
	require.NoError(t, err)
	defer events.Close()
	require.NoError(t, events.Exec(ctx, "CREATE TABLE IF NOT EXISTS rows (n UInt32) ENGINE = MergeTree ORDER BY n"))
	batch, err := events.PrepareBatch(ctx, "INSERT INTO rows")
	require.NoError(t, err)
	require.NoError(t, batch.Append(uint32(n)))
	require.NoError(t, batch.Send())

	flows := r.temporal()
	defer flows.Close()
	_, err = flows.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: fmt.Sprint("flow-", n), TaskQueue: "nobody-listens",
		TypedSearchAttributes: temporal.NewSearchAttributes(project.ValueSet("p1")),
	}, "Rollout")
	require.NoError(t, err)
}

func (r *rig) temporal() client.Client {
	flows, err := client.Dial(client.Options{HostPort: r.address("TEMPORAL_ADDRESS"), Logger: silent{}})
	require.NoError(r.t, err)
	return flows
}

// requireRows checks that everything written so far is there.
func (r *rig) requireRows(ctx context.Context, want int) {
	t := r.t
	t.Helper()
	db, err := pgx.Connect(ctx, r.address("DATABASE_URL"))
	require.NoError(t, err)
	defer db.Close(ctx)
	var rows int
	require.NoError(t, db.QueryRow(ctx, "SELECT count(*) FROM rows").Scan(&rows))
	require.Equal(t, want, rows, "in Postgres")

	options, err := clickhousego.ParseDSN(r.address("CLICKHOUSE_URL"))
	require.NoError(t, err)
	events, err := clickhousego.Open(options)
	require.NoError(t, err)
	defer events.Close()
	var count uint64
	require.NoError(t, events.QueryRow(ctx, "SELECT count() FROM rows").Scan(&count))
	require.Equal(t, uint64(want), count, "in ClickHouse")

	flows := r.temporal()
	defer flows.Close()
	require.Eventually(t, func() bool {
		found, err := flows.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Query: "WaftProject = 'p1'"})
		return err == nil && found.GetCount() == int64(want)
	}, 2*time.Minute, 20*time.Millisecond, "Temporal does not find %d workflows", want)
}

func TestDataSurvivesKillsAndRestarts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ctx := t.Context()
	engines := []string{"postgres", "clickhouse", "temporal"}

	first := r.run("up", "--engines-only")
	require.Zero(t, first.code, first.errors)
	r.write(ctx, 1)
	res, err := http.Get(r.address("WAFT_TEMPORAL_UI_URL"))
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusOK, res.StatusCode)

	for _, name := range engines {
		r.kill(name)
	}
	second := r.run("up", "--engines-only")
	require.Zero(t, second.code, second.errors)
	t.Logf("first start %v, second start %v", first.took, second.took)
	r.requireRows(ctx, 1)
	r.write(ctx, 2)

	// Only what is missing is started.
	before := map[string]int{}
	for _, name := range engines {
		before[name] = r.pid(name)
	}
	r.kill("temporal")
	out := r.ok("up", "--engines-only")
	require.Equal(t, 2, strings.Count(out, "was running"), out)
	require.Equal(t, before["postgres"], r.pid("postgres"))
	require.Equal(t, before["clickhouse"], r.pid("clickhouse"))
	require.NotEqual(t, before["temporal"], r.pid("temporal"))

	r.ok("down")
	requireNoProcess(t, r.dir)
	require.Empty(t, r.ok("down"))
	r.ok("up", "--engines-only")
	r.requireRows(ctx, 2)

	r.ok("reset")
	requireNoProcess(t, r.dir)
	left, err := os.ReadDir(r.dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestTakenPort(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", r.ports["WAFT_CLICKHOUSE_PORT"]))
	require.NoError(t, err)
	defer listener.Close()

	message := r.fails("up", "--engines-only")
	require.Contains(t, message, fmt.Sprintf("port %d for ClickHouse is taken", r.ports["WAFT_CLICKHOUSE_PORT"]))
	require.Contains(t, message, "WAFT_CLICKHOUSE_PORT")
	requireNoProcess(t, r.dir)
}

func TestMissingPackages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.env = append(r.env, "WAFT_DEVSTACK_MODULES="+t.TempDir())
	require.Contains(t, r.fails("up", "--engines-only"), "run 'make deps'")
}

func TestEnginesGivenInTheEnvironment(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.env = append(r.env, "DATABASE_URL=postgres://elsewhere/waft", "TEMPORAL_ADDRESS=elsewhere:7233")
	out := r.ok("up", "--engines-only")
	require.Contains(t, out, "given in DATABASE_URL")
	require.Equal(t, "postgres://elsewhere/waft", r.address("DATABASE_URL"))
	require.Equal(t, "elsewhere:7233", r.address("TEMPORAL_ADDRESS"))
	require.NoFileExists(t, filepath.Join(r.dir, "postgres.pid"))
	require.FileExists(t, filepath.Join(r.dir, "clickhouse.pid"))
}

func TestPostgresWithoutNamespaces(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.env = append(r.env, "WAFT_DEVSTACK_NO_USERNS=1", "CLICKHOUSE_URL=http://elsewhere", "TEMPORAL_ADDRESS=elsewhere:7233")
	r.ok("up", "--engines-only")
	db, err := pgx.Connect(t.Context(), r.address("DATABASE_URL"))
	require.NoError(t, err)
	defer db.Close(t.Context())
	var folder string
	require.NoError(t, db.QueryRow(t.Context(), "SHOW data_directory").Scan(&folder))
	require.NoError(t, db.Close(t.Context()))

	r.kill("postgres")
	r.ok("up", "--engines-only")
	r.ok("reset")
	require.NoDirExists(t, folder)
}
