package e2e

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/authority"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/models"
)

// behindTLS returns the port of a listener with TLS that forwards the connections to an address.
func behindTLS(t *testing.T, config *tls.Config, address string) (port string) {
	t.Helper()
	config.MinVersion = tls.VersionTLS12
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { forward(ctx, conn, address) })
		}
	})
	t.Cleanup(func() {
		cancel()
		listener.Close()
		running.Wait()
	})
	return portOf(t, listener.Addr().String())
}

// forward copies between a connection and an address until one of them ends, or ctx.
func forward(ctx context.Context, from net.Conn, address string) {
	defer from.Close()
	to, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return
	}
	defer to.Close()
	defer context.AfterFunc(ctx, func() { from.Close(); to.Close() })()
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(from, to) // ends when one of the connections does
		from.Close()
	})
	_, _ = io.Copy(to, from) // as above
	to.Close()
	back.Wait()
}

// withTLS turns TLS on in a Postgres of the test, as an operator does, and returns its URL for clients that verify the certificate.
func (e *engine) withTLS(own authority.Authority) string {
	e.t.Helper()
	conn, err := pgx.Connect(e.t.Context(), e.address)
	require.NoError(e.t, err)
	defer conn.Close(e.t.Context())
	var data string
	require.NoError(e.t, conn.QueryRow(e.t.Context(), "SHOW data_directory").Scan(&data))
	certificate, key := own.Issue(e.t, "localhost")
	for setting, file := range map[string]string{"ssl_cert_file": certificate, "ssl_key_file": key} {
		// Postgres runs as another user, and reads only a key of its own.
		to := filepath.Join(data, filepath.Base(file))
		lines := strings.ReplaceAll(strings.TrimSpace(string(readAll(e.t, file))), "\n", "','")
		e.execute(conn, fmt.Sprintf("COPY (SELECT unnest(ARRAY['%s'])) TO PROGRAM 'umask 077; cat >%s'", lines, to))
		e.execute(conn, fmt.Sprintf("ALTER SYSTEM SET %s = '%s'", setting, to))
	}
	e.execute(conn, "ALTER SYSTEM SET ssl = on")
	e.execute(conn, "SELECT pg_reload_conf()")
	u, err := url.Parse(e.address)
	require.NoError(e.t, err)
	u.Host = "localhost:" + u.Port()
	u.RawQuery = url.Values{"sslmode": {"verify-full"}, "sslrootcert": {own.File(e.t)}}.Encode()
	eventually(e.t, func() bool { return answersPostgres(e.t.Context(), u.String()) == nil })
	return u.String()
}

func (e *engine) execute(conn *pgx.Conn, statement string) {
	e.t.Helper()
	_, err := conn.Exec(e.t.Context(), statement)
	require.NoError(e.t, err, statement)
}

// settingsOverTLS returns the settings of an installation whose engines and bucket are behind TLS. The first authority signs for
// Postgres and Temporal, which have a setting for it. The second signs for ClickHouse and the bucket, which trust it by SSL_CERT_FILE.
// Temporal requires a certificate of clients.
func settingsOverTLS(t *testing.T) map[string]string {
	t.Helper()
	env := settings(t)
	named, other := authority.New(t), authority.New(t)
	env["DATABASE_URL"] = newPostgres(t).await().withTLS(named)

	env["TEMPORAL_ADDRESS"] = "localhost:" + behindTLS(t, &tls.Config{
		Certificates: []tls.Certificate{named.Pair(t, "localhost")}, NextProtos: []string{"h2"},
		ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: named.Pool(),
	}, env["TEMPORAL_ADDRESS"])
	env["TEMPORAL_TLS_SERVER_CA_CERT_PATH"] = named.File(t)
	env["TEMPORAL_TLS_CLIENT_CERT_PATH"], env["TEMPORAL_TLS_CLIENT_KEY_PATH"] = named.Issue(t, "waft")

	plain := func() *tls.Config { return &tls.Config{Certificates: []tls.Certificate{other.Pair(t, "localhost")}} }
	clickHouse, err := url.Parse(env["CLICKHOUSE_URL"])
	require.NoError(t, err)
	clickHouse.Scheme, clickHouse.Host = "https", "localhost:"+behindTLS(t, plain(), clickHouse.Host)
	env["CLICKHOUSE_URL"] = clickHouse.String()

	bucket, err := url.Parse(enginetest.Objects(t))
	require.NoError(t, err)
	query := bucket.Query()
	query.Set("endpoint", "https://localhost:"+behindTLS(t, plain(), strings.TrimPrefix(query.Get("endpoint"), "http://")))
	bucket.RawQuery = query.Encode()
	env["WAFT_ASSET_BUCKET_URL"] = bucket.String()
	env["SSL_CERT_FILE"], env["AWS_CA_BUNDLE"] = other.File(t), "" // the machine may have a bundle for S3
	return env
}

// TestEveryEngineOverTLS plays the main job with every engine behind TLS. Then each authority is missing in turn, and the error names the
// setting.
func TestEveryEngineOverTLS(t *testing.T) {
	t.Parallel()
	env := settingsOverTLS(t)
	migrate(t, env)
	api := waftd(t, "api", env)
	waftd(t, "worker", env)
	mainJob{
		project: newProject(t, api.url(), env["WAFT_ROOT_KEY"]), exports: madeExports(t), assets: fleet.AssetHead, devices: 200,
		platforms: []models.Platform{models.IOS},
	}.play(t)

	database, err := url.Parse(env["DATABASE_URL"])
	require.NoError(t, err)
	database.RawQuery = "sslmode=verify-full"
	for setting, c := range map[string]struct{ name, value, fix string }{
		"DATABASE_URL":     {"DATABASE_URL", database.String(), "sslrootcert=FILE to the URL, or set SSL_CERT_FILE,"},
		"CLICKHOUSE_URL":   {"SSL_CERT_FILE", "", "SSL_CERT_FILE"},
		"TEMPORAL_ADDRESS": {"TEMPORAL_TLS_SERVER_CA_CERT_PATH", "", "TEMPORAL_TLS_SERVER_CA_CERT_PATH"},
	} {
		without := emptied(env, c.name)
		without[c.name] = c.value
		migration := launch(t, without, "migrate")
		require.Error(t, <-migration.exited)
		text := migration.log.String()
		require.Contains(t, text, setting+": the TLS certificate is not trusted")
		require.Contains(t, text, c.fix+" to the PEM file of the authority")
		require.Contains(t, text, "certificate signed by unknown authority")
	}

	// The API serves devices without ClickHouse and the bucket, so it starts. Its log and /readyz say that both are missing.
	without := emptied(env, "SSL_CERT_FILE")
	without["WAFT_DATA_DIR"] = t.TempDir()
	late := waftd(t, "api", without)
	res, err := http.Get(late.url() + "/readyz")
	require.NoError(t, err)
	res.Body.Close()
	require.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
	for _, setting := range []string{"CLICKHOUSE_URL", "WAFT_ASSET_BUCKET_URL"} {
		eventually(t, func() bool {
			return strings.Contains(late.log.String(), setting+": the TLS certificate is not trusted")
		})
	}
}
