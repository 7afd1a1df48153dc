package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// clusterOfOne is a configuration in which the development engine is the only node of a cluster, with a Keeper in its
// own memory. The engine creates replicated tables then, but cannot write to them, because other replicas would have to
// reach it.
const clusterOfOne = `<clickhouse>
	<tcp_port>9000</tcp_port>
	<remote_servers><one><shard><internal_replication>true</internal_replication>
		<replica><host>localhost</host><port>9000</port></replica>
	</shard></one></remote_servers>
	<macros><shard>1</shard><replica>a</replica></macros>
	<zookeeper><implementation>testkeeper</implementation></zookeeper>
</clickhouse>`

var (
	onCluster  = regexp.MustCompile(` ON CLUSTER 'one'`)
	replicated = regexp.MustCompile(`Replicated(\w*MergeTree)\('/clickhouse/tables/\{shard\}/\{database\}/\w+', '\{replica\}'(?:, (\w+))?\)`)
)

// clusterFront is a proxy in front of the engine for what the engine cannot do. It removes the clause that sends a
// statement to all nodes, and creates the tables of a single replica. It also remembers the statements in their
// original form.
type clusterFront struct {
	mu sync.Mutex
	// all holds the statements that change tables. handed holds only the statements that are sent to every node.
	all, handed []string
}

var changesTables = regexp.MustCompile(`^\s*(CREATE (TABLE|VIEW|MATERIALIZED)|ALTER|DROP|DELETE|RENAME|TRUNCATE)`)

func (f *clusterFront) note(statement string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if changesTables.MatchString(statement) && !strings.Contains(statement, "waft_schema_versions") {
		f.all = append(f.all, statement)
		if onCluster.MatchString(statement) {
			f.handed = append(f.handed, statement)
		}
	}
	statement = replicated.ReplaceAllString(onCluster.ReplaceAllString(statement, ""), "$1($2)")
	return strings.ReplaceAll(statement, " replicated_deduplication_window", " non_replicated_deduplication_window")
}

// beginning returns the statements for every node that begin with the string.
func (f *clusterFront) beginning(with string) (statements []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, statement := range f.handed {
		if strings.HasPrefix(statement, with) {
			statements = append(statements, statement)
		}
	}
	return statements
}

// before serves the engine through the proxy.
func (f *clusterFront) before(t *testing.T, engine *engine) string {
	t.Helper()
	to, err := url.Parse(engine.await().address)
	require.NoError(t, err)
	to.Path = ""
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		query := r.Out.URL.Query()
		if statement := query.Get("query"); statement != "" {
			query.Set("query", f.note(statement)) // inserted data is in the body
			r.Out.URL.RawQuery = query.Encode()
			return
		}
		body, err := io.ReadAll(r.In.Body)
		if err != nil {
			body = nil // the engine refuses the request
		}
		statement := f.note(string(body))
		r.Out.Body, r.Out.ContentLength = io.NopCloser(bytes.NewReader([]byte(statement))), int64(len(statement))
	}}
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	return "http://" + to.User.String() + "@" + front.Listener.Addr().String() + "/waft"
}

// The tables of a cluster are behind Distributed tables. They must give the same metrics, contain each report once, and
// forget devices on every node.
func TestEveryFigureOnAClusterIsTheTruth(t *testing.T) {
	t.Parallel()
	config := filepath.Join(t.TempDir(), "config.xml")
	require.NoError(t, os.WriteFile(config, []byte(clusterOfOne), 0o600))
	front, node := &clusterFront{}, newClickHouse(t, "--config", config)
	env := settings(t)
	env["CLICKHOUSE_URL"] = front.before(t, node)
	env["WAFT_CLICKHOUSE_CLUSTER"] = "one"
	requireTruth(t, env, enginetest.Sized(100, 40), enginetest.Sized(600, 250))
	require.Equal(t, front.all, front.handed, "every change of a table must be sent to every node")
	require.Empty(t, front.beginning("DELETE"))
	b := openBooks(t, node.address)
	requireClusterTables(t, front, b)

	env["WAFT_DATA_DIR"], env["WAFT_TRUSTED_PROXIES"] = t.TempDir(), "127.0.0.1"
	server := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
	requireAllocations(t, server.tenant(t))
	p := server.tenant(t)
	p.known()
	device := uuid.NewString()
	for range 2 {
		a := p.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: object{
			"projectSlug": p.slug, "deviceId": device, "platform": "ios", "runtimeVersion": "1", "updateUuid": uuid.NewString(),
			"events": []object{{"type": "crash", "count": 1}},
		}, header: map[string]string{"Idempotency-Key": "k"}})
		require.Equal(t, http.StatusNoContent, a.status, a.body)
	}
	tables := []string{"health_events", "health_reports", "device_releases", "device_days"}
	rows := func(table string) uint64 {
		return b.query("SELECT '', count() FROM " + table + " WHERE project_id = " + path("%d", p.id))[""]
	}
	for _, table := range tables {
		p.eventually(func() bool { return rows(table) == 1 })
	}
	require.Equal(t, http.StatusNoContent, p.do(request{method: http.MethodDelete, path: "/v1/ota/devices/" + device + "/data"}).status)
	for _, table := range tables {
		require.Zero(t, rows(table), table)
	}
	for table := range b.query(`SELECT name, count() FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
		AND name IN (SELECT table FROM system.columns WHERE database = currentDatabase() AND name IN ('device_id', 'device_key')) GROUP BY name`) {
		require.Regexp(t, "_local$", table)
	}
	require.GreaterOrEqual(t, len(front.beginning("DELETE")), len(tables))
}

// requireAllocations checks that networks of one allocation have limited votes together. The view of exposures stores
// the allocations.
func requireAllocations(t *testing.T, p *tenant) {
	t.Helper()
	release, id := p.rollOut(p.inStages(0, 0, 100).with("thresholds", object{"crashRate": 90.0, "allocationVotes": 2}))
	p.awaitServed(invented(1), is(release["updateUuid"]))
	var rented []visitor
	for i, device := range invented(10) {
		rented = append(rented, visitor{device, fmt.Sprintf("2001:db8:%x::1", i)})
	}
	require.Equal(t, 40, p.visit(release, slices.Concat(rented, atHome(invented(30))), firstOf(10)))
	e := p.awaitRollout(id, hasCounted(40, 10))
	require.Equal(t, votesOf(40, 31, 32, 2, 2), health(e)["votes"])
}

// requireClusterTables checks that each table is a local table under a Distributed table with the same columns. It also
// creates the replicated tables in another database, to check that the engine accepts them.
func requireClusterTables(t *testing.T, front *clusterFront, b books) {
	t.Helper()
	pairs := b.query(`SELECT replaceRegexpOne(name, '_local$', ''), sum(multiIf(engine = 'Distributed', 10, name LIKE '%_local', 1, 100))
		FROM system.tables WHERE database = currentDatabase() AND name != 'waft_schema_versions' AND engine NOT LIKE '%View' GROUP BY 1`)
	require.NotEmpty(t, pairs)
	for table, pair := range pairs {
		require.Equal(t, uint64(11), pair, "%s must have one local table and one Distributed table", table)
	}
	require.Empty(t, b.query(`SELECT concat(replaceRegexpOne(table, '_local$', ''), '.', name), count() FROM system.columns
		WHERE database = currentDatabase() AND table IN (SELECT name FROM system.tables
			WHERE database = currentDatabase() AND name != 'waft_schema_versions' AND engine NOT LIKE '%View') GROUP BY 1 HAVING count() != 2
			OR uniqExact(type) != 1`), "columns that only one of the two has")

	require.NoError(t, b.conn.Exec(t.Context(), "CREATE DATABASE replicas"))
	made := 0
	for _, statement := range front.beginning("CREATE TABLE") {
		if !strings.Contains(statement, "ENGINE = Replicated") {
			continue
		}
		made++
		statement = strings.Replace(onCluster.ReplaceAllString(statement, ""), "IF NOT EXISTS ", "IF NOT EXISTS replicas.", 1)
		require.NoError(t, b.conn.Exec(t.Context(), statement), statement)
	}
	require.Equal(t, map[string]uint64{"": uint64(made)}, b.query("SELECT '', count() FROM system.replicas WHERE database = 'replicas'"))
	require.Positive(t, made)
}
