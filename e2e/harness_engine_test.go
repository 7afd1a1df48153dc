package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	temporal "go.temporal.io/sdk/client"
)

// engine is a Postgres, ClickHouse or Temporal of the test's own, which the test may kill.
type engine struct {
	t    *testing.T
	name string
	// address is the address for clients: a URL, or host and port for Temporal.
	address string
	// arguments are devstack's arguments. environment is added to the test's environment.
	arguments, environment []string
	answers                func(ctx context.Context, address string) error
	process                *process
}

// enginePassword is the password of Postgres and ClickHouse.
const enginePassword = "a-test-s-own"

func newPostgres(t *testing.T) *engine {
	t.Helper()
	dir, address := t.TempDir(), freeAddress(t)
	t.Cleanup(func() {
		// A killed server leaves helper processes and files of another user.
		out, err := devstack(t, "reset", "--dir", dir).CombinedOutput()
		require.NoError(t, err, "%s", out)
	})
	return newEngine(t, engine{
		name: "Postgres", address: fmt.Sprintf("postgres://waft:%s@%s/waft?sslmode=disable", enginePassword, address), answers: answersPostgres,
		arguments:   []string{"serve-postgres", "--dir", dir, "--port", portOf(t, address)},
		environment: []string{"WAFT_POSTGRES_PASSWORD=" + enginePassword},
	})
}

// newClickHouse starts ClickHouse with further options for devstack.
func newClickHouse(t *testing.T, options ...string) *engine {
	t.Helper()
	address := freeAddress(t)
	return newEngine(t, engine{
		name: "ClickHouse", address: fmt.Sprintf("http://default:%s@%s/waft", enginePassword, address), answers: answersClickHouse,
		arguments:   append([]string{"serve-clickhouse", "--data", t.TempDir(), "--listen", address}, options...),
		environment: []string{"WAFT_CLICKHOUSE_PASSWORD=" + enginePassword},
	})
}

func newTemporal(t *testing.T) *engine {
	t.Helper()
	address, ui := freeAddress(t), freeAddress(t)
	return newEngine(t, engine{
		name: "Temporal", address: address, answers: answersTemporal,
		arguments: []string{"serve-temporal", "--data", t.TempDir(), "--port", portOf(t, address), "--ui-port", portOf(t, ui)},
	})
}

// newEngine launches e. Call await to wait until it responds.
func newEngine(t *testing.T, e engine) *engine {
	t.Helper()
	e.t = t
	e.launch()
	return &e
}

func devstack(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	binary, err := filepath.Abs("../bin/devstack")
	require.NoError(t, err)
	require.FileExists(t, binary, "it is built by `make devstack`")
	return exec.Command(binary, arguments...)
}

// launch starts the engine without waiting for anything.
func (e *engine) launch() {
	e.t.Helper()
	command := devstack(e.t, e.arguments...)
	command.Env = append(os.Environ(), e.environment...)
	e.process = spawn(e.t, command)
}

// await returns once the engine responds.
func (e *engine) await() *engine {
	e.t.Helper()
	await(e.t, startLimit, atLeisure, func() bool {
		ctx, cancel := context.WithTimeout(e.t.Context(), 10*time.Second) // a busy engine responds late
		defer cancel()
		return e.answers(ctx, e.address) == nil
	}, "%s does not start", e.name)
	return e
}

// start starts the engine again after a kill, and returns once it responds.
func (e *engine) start() {
	e.t.Helper()
	e.launch()
	e.await()
}

// kill kills the engine with SIGKILL, and waits for the end of its process.
func (e *engine) kill() { e.process.kill() }

func answersPostgres(ctx context.Context, address string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

func answersClickHouse(ctx context.Context, address string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(address, "/waft")+"/ping", nil)
	if err != nil {
		return err
	}
	a, err := received(new(http.Transport).RoundTrip(req))
	if err == nil && a.status != http.StatusOK {
		err = fmt.Errorf("status %d: %s", a.status, a.body)
	}
	return err
}

func answersTemporal(ctx context.Context, address string) error {
	tc, err := temporal.DialContext(ctx, temporal.Options{HostPort: address})
	if err != nil {
		return err
	}
	defer tc.Close()
	_, err = tc.CheckHealth(ctx, &temporal.CheckHealthRequest{})
	return err
}

// given holds the addresses that tests already use.
var given sync.Map

// freeAddress returns an address without a listener. Its port is below the range for outgoing connections, so it stays
// free while the listener is killed and restarted.
func freeAddress(t *testing.T) string {
	t.Helper()
	for {
		address := fmt.Sprintf("127.0.0.1:%d", 15000+rand.IntN(15000))
		if _, taken := given.LoadOrStore(address, true); taken {
			continue
		}
		if listener, err := net.Listen("tcp", address); err == nil {
			require.NoError(t, listener.Close())
			return address
		}
	}
}

func portOf(t *testing.T, address string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	return port
}
