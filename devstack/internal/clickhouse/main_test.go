package clickhouse_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	clickhousego "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/devstack/internal/clickhouse"
	"github.com/waft-ota/waft/devstack/internal/modules"
	"github.com/waft-ota/waft/devstack/internal/process"
)

// envServe makes the test binary serve instead: a process of its own, which
// tests can kill.
const envServe = "DEVSTACK_TEST_SERVE"

const (
	database = "waft"
	password = "it's a:secret/with@signs"
)

// shared is the address of the server that most tests use together.
var shared string

func TestMain(m *testing.M) {
	if folder := os.Getenv(envServe); folder != "" {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		if err := clickhouse.Serve(ctx, clickhouse.Options{Folder: folder, Address: os.Args[1], Database: database}); err != nil {
			fmt.Println("error: " + err.Error())
			os.Exit(1)
		}
		return
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "waft-clickhouse-")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(dir)
	server, err := launch(dir, freeAddress())
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer server.Stop(syscall.SIGTERM, 10*time.Second)
	shared = server.Address
	return m.Run()
}

// launch starts a server on the folder and returns once it is ready.
func launch(dir, address string) (*process.Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	packages, err := filepath.Abs("../../node_modules")
	if err != nil {
		return nil, err
	}
	server, err := process.Start(dir, process.Spec{
		Name:     "clickhouse",
		Path:     self,
		Args:     []string{address},
		Env:      append(os.Environ(), envServe+"="+dir+"/data", clickhouse.PasswordVariable+"="+password, "TZ=UTC", modules.EnvDir+"="+packages),
		Dir:      dir,
		Address:  address,
		Tethered: true,
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		err := clickhouse.Ready(ctx, address, password, database)
		if err == nil {
			return server, nil
		}
		select {
		case <-server.Done():
			return nil, server.Failure()
		case <-ctx.Done():
			return nil, err
		case <-tick.C:
		}
	}
}

// freeAddress returns an address without a listener. Its port is below the range of outgoing connections, so that it is still free
// after its listener was killed.
func freeAddress() string {
	for {
		address := fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(5000))
		if listener, err := net.Listen("tcp", address); err == nil {
			listener.Close()
			return address
		}
	}
}

// open connects to a database of the test's own on the shared server.
func open(t *testing.T, change ...func(*clickhousego.Options)) driver.Conn {
	t.Helper()
	name := "test_" + strings.ToLower(strings.NewReplacer("/", "_", "#", "_").Replace(t.Name()))
	admin := connect(t, shared, "default")
	require.NoError(t, admin.Exec(t.Context(), "CREATE DATABASE "+name))
	return connect(t, shared, name, change...)
}

func connect(t *testing.T, address, database string, change ...func(*clickhousego.Options)) driver.Conn {
	t.Helper()
	options := &clickhousego.Options{
		Addr:     []string{address},
		Protocol: clickhousego.HTTP,
		Auth:     clickhousego.Auth{Database: database, Username: "default", Password: password},
	}
	for _, c := range change {
		c(options)
	}
	conn, err := clickhousego.Open(options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	return conn
}
