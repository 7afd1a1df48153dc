package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	_ "net/http/pprof" // for BENCH_PPROF_ADDR
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/models"
)

// session is one run of a benchmark. At its end it closes everything that it opened, in reverse order.
type session struct {
	options
	engines engines
	closers []func() error
	// child is the process that startProcess started last.
	child *child
}

func (s *session) atEnd(closer func() error) { s.closers = append(s.closers, closer) }

func (s *session) close() error {
	var errs []error
	for _, closer := range slices.Backward(s.closers) {
		errs = append(errs, closer())
	}
	return errors.Join(errs...)
}

// folder makes a temporary folder.
func (s *session) folder() (string, error) {
	dir, err := os.MkdirTemp("", "waft-bench-")
	s.atEnd(func() error { return os.RemoveAll(dir) })
	return dir, err
}

// engines are fresh databases in the engines of the environment.
type engines struct{ databaseURL, clickHouseURL, temporal string }

// openEngines makes the session's databases, the first time.
func (s *session) openEngines(ctx context.Context) (err error) {
	if s.engines.temporal != "" {
		return nil
	}
	if s.engines.temporal = os.Getenv("TEMPORAL_ADDRESS"); s.engines.temporal == "" {
		return errNotSet("TEMPORAL_ADDRESS")
	}
	if s.engines.databaseURL, err = s.postgres(ctx); err != nil {
		return err
	}
	s.engines.clickHouseURL, err = s.clickHouse(ctx)
	return err
}

func (s *session) postgres(ctx context.Context) (string, error) {
	return s.database(ctx, "DATABASE_URL", " WITH (FORCE)", func(ctx context.Context, server, statement string) error {
		conn, err := connect(ctx, server)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		_, err = conn.Exec(ctx, statement)
		return err
	})
}

func (s *session) clickHouse(ctx context.Context) (string, error) {
	return s.database(ctx, "CLICKHOUSE_URL", "", func(ctx context.Context, server, statement string) error {
		_, err := query(ctx, server, statement)
		return err
	})
}

// database creates a database on the server of the variable and returns its URL.
func (s *session) database(
	ctx context.Context, variable, force string, execute func(ctx context.Context, server, statement string) error,
) (string, error) {
	server, name := os.Getenv(variable), "bench_"+strings.ReplaceAll(uuid.NewString(), "-", "")
	if server == "" {
		return "", errNotSet(variable)
	}
	u, err := url.Parse(server)
	if err != nil {
		return "", fmt.Errorf("%s is malformed", variable)
	}
	if err := execute(ctx, server, "CREATE DATABASE "+name); err != nil {
		return "", fmt.Errorf("%s: create a database: %w", variable, err)
	}
	s.atEnd(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		return execute(ctx, server, "DROP DATABASE IF EXISTS "+name+force)
	})
	u.Path = "/" + name
	return u.String(), nil
}

func errNotSet(variable string) error {
	return fmt.Errorf("%s is not set: run `make bench`, or source .waft/engines.env", variable)
}

// connect leaves the driver's error out, which may contain credentials.
func connect(ctx context.Context, databaseURL string) (*pgx.Conn, error) {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return nil, errors.New("DATABASE_URL: Postgres is not reachable")
	}
	return conn, nil
}

// query runs SQL over ClickHouse's HTTP interface and returns the body of the response.
func query(ctx context.Context, address, sql string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("CLICKHOUSE_URL is malformed")
	}
	u.RawQuery = url.Values{"database": {strings.TrimPrefix(u.Path, "/")}}.Encode()
	u.Path = "/"
	answer, err := send(ctx, http.MethodPost, u.String(), "text/plain", sql, nil, http.StatusOK)
	return strings.TrimSpace(string(answer)), err
}

// bare starts a Gin handler in this process and returns its address.
func (s *session) bare(ctx context.Context, method, path string, handle gin.HandlerFunc) (addr string, err error) {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.Handle(method, path, handle)
	return s.listen(ctx, engine)
}

// listen serves with a handler in this process and returns its address.
func (s *session) listen(ctx context.Context, handler http.Handler) (addr string, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("bare server: %w", err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	s.atEnd(server.Close)
	go func() { _ = server.Serve(listener) }() // it ends by Close
	return listener.Addr().String(), nil
}

// serveAPI runs the command that serves Waft's API. BENCH_PPROF_ADDR is an address for
// profiles of it.
func serveAPI(ctx context.Context, s *session) error {
	var settings map[string]string
	if err := json.NewDecoder(os.Stdin).Decode(&settings); err != nil {
		return err
	}
	if addr := os.Getenv("BENCH_PPROF_ADDR"); addr != "" {
		go func() { _ = http.ListenAndServe(addr, nil) }()
	}
	return await(s.serve(ctx, settings, app.Role{API: true}))
}

// serve runs Waft in this process and returns its address.
func (s *session) serve(ctx context.Context, settings map[string]string, role app.Role, options ...app.Option) (addr string, err error) {
	cfg, err := config.FromMap(settings)
	if err != nil {
		return "", err
	}
	server, err := app.New(ctx, cfg, role, serverLog(), options...)
	if err != nil {
		return "", err
	}
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	s.atEnd(func() error {
		stop()
		return errors.Join(<-ended, server.Close())
	})
	return server.Addr(), nil
}

func serverLog() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
}

// waft is the whole server, as waftd runs it, with the options of the session.
type waft struct {
	engines
	*options
	url, addr, rootKey, taskQueue, dir string
}

// waft starts the server in this process. own has settings in addition to the usual ones.
func (s *session) waft(ctx context.Context, role app.Role, own map[string]string) (*waft, error) {
	return s.start(ctx, own, func(settings map[string]string) (string, error) { return s.serve(ctx, settings, role) })
}

// startWaftProcess starts the server in a separate process. own has settings in addition to the usual ones.
func (s *session) startWaftProcess(ctx context.Context, own map[string]string) (*waft, error) {
	return s.start(ctx, own, func(settings map[string]string) (string, error) { return s.startProcess(ctx, "serve-api", settings) })
}

func (s *session) start(
	ctx context.Context, own map[string]string, serve func(settings map[string]string) (addr string, err error),
) (w *waft, err error) {
	if err := s.openEngines(ctx); err != nil {
		return nil, err
	}
	w = &waft{engines: s.engines, options: &s.options, rootKey: models.NewAPIKeyToken().Reveal(), taskQueue: "bench-" + uuid.NewString()}
	if w.dir, err = s.folder(); err != nil {
		return nil, err
	}
	settings := map[string]string{
		"WAFT_LISTEN_ADDR": "127.0.0.1:0", "WAFT_ADMIN_ADDR": "127.0.0.1:0", "DATABASE_URL": w.databaseURL, "CLICKHOUSE_URL": w.clickHouseURL,
		"TEMPORAL_ADDRESS": w.temporal, "WAFT_TASK_QUEUE": w.taskQueue, "WAFT_ROOT_KEY": w.rootKey,
		"WAFT_SECRET_KEY":       base64.StdEncoding.EncodeToString(make([]byte, 32)),
		"WAFT_ASSET_BUCKET_URL": "file://" + w.dir, "WAFT_DATA_DIR": w.dir, "WAFT_LOG_LEVEL": "error",
		"WAFT_RATE_PER_ADDRESS": "0", "WAFT_RATE_PER_DEVICE": "0", // one machine sends for all devices
		"WAFT_RATE_PER_NETWORK": "0", "WAFT_NEW_DEVICES_PER_MINUTE": "0",
	}
	maps.Copy(settings, own)
	cfg, err := config.FromMap(settings)
	if err != nil {
		return nil, err
	}
	if err := app.Migrate(ctx, cfg, serverLog()); err != nil {
		return nil, err
	}
	w.addr, err = serve(settings)
	w.url = "http://" + w.addr
	return w, err
}
