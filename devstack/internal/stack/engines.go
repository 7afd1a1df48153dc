package stack

import (
	"context"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/waft-ota/waft/devstack/internal/clickhouse"
	"github.com/waft-ota/waft/devstack/internal/postgres"
	"github.com/waft-ota/waft/devstack/internal/process"
	"github.com/waft-ota/waft/devstack/internal/temporal"
)

const database = "waft"

// engines returns the engines in the order in which they are shown.
func (s *Stack) engines() []service {
	return []service{s.postgres(), s.clickhouse(), s.temporal()}
}

func (s *Stack) postgres() service {
	settings := postgres.Settings{
		Dir: s.Dir, Port: s.ports.Postgres, Password: s.secrets[postgres.PasswordVariable],
		Durable: s.Durable, Env: EngineEnv(), Tethered: s.Tethered,
	}
	return service{
		name:     postgres.Name,
		external: "DATABASE_URL",
		ports:    []port{{s.ports.Postgres, "Postgres", "WAFT_POSTGRES_PORT"}},
		spec:     func(ctx context.Context) (process.Spec, error) { return postgres.Prepare(ctx, settings) },
		ready:    func(ctx context.Context) error { return postgres.Ready(ctx, settings) },
		signal:   postgres.StopSignal,
		grace:    20 * time.Second,
		cleanup:  func() error { return postgres.Evict(s.Dir) },
	}
}

func (s *Stack) clickhouse() service {
	const name = "clickhouse"
	address, password := loopback(s.ports.ClickHouse), s.secrets[clickhouse.PasswordVariable]
	return service{
		name:     name,
		external: "CLICKHOUSE_URL",
		ports:    []port{{s.ports.ClickHouse, "ClickHouse", "WAFT_CLICKHOUSE_PORT"}},
		spec: func(context.Context) (process.Spec, error) {
			spec := s.self(name, s.ports.ClickHouse, "serve-clickhouse", "--data", s.path(name), "--listen", address, "--database", database)
			spec.Env = append(spec.Env, clickhouse.PasswordVariable+"="+password)
			return spec, clickhouse.Installed()
		},
		ready:  func(ctx context.Context) error { return clickhouse.Ready(ctx, address, password, database) },
		signal: syscall.SIGTERM,
		grace:  15 * time.Second,
	}
}

func (s *Stack) temporal() service {
	const name = "temporal"
	address := loopback(s.ports.Temporal)
	return service{
		name:     name,
		external: "TEMPORAL_ADDRESS",
		ports: []port{
			{s.ports.Temporal, "Temporal", "WAFT_TEMPORAL_PORT"},
			{s.ports.TemporalUI, "Temporal's web UI", "WAFT_TEMPORAL_UI_PORT"},
		},
		spec: func(context.Context) (process.Spec, error) {
			return s.self(name, s.ports.Temporal, "serve-temporal", "--data", s.path(name),
				"--port", strconv.Itoa(s.ports.Temporal), "--ui-port", strconv.Itoa(s.ports.TemporalUI)), nil
		},
		ready:  func(ctx context.Context) error { return temporal.Ready(ctx, address, loopback(s.ports.TemporalUI)) },
		signal: syscall.SIGTERM,
		grace:  15 * time.Second,
	}
}

// self describes a process that runs this program and listens on port.
func (s *Stack) self(name string, port int, args ...string) process.Spec {
	return process.Spec{
		Name: name, Path: s.Self, Args: args, Env: EngineEnv(), Dir: s.Dir, Address: named(port), Tethered: s.Tethered,
	}
}

// engineAddresses returns the environment variables with the engines' addresses. The caller's
// variables have precedence.
func (s *Stack) engineAddresses() map[string]string {
	pg := postgres.Settings{Port: s.ports.Postgres, Password: s.secrets[postgres.PasswordVariable]}
	addresses := map[string]string{
		"DATABASE_URL":         pg.URL(),
		"CLICKHOUSE_URL":       clickhouse.URL(named(s.ports.ClickHouse), s.secrets[clickhouse.PasswordVariable], database),
		"TEMPORAL_ADDRESS":     named(s.ports.Temporal),
		"TEMPORAL_NAMESPACE":   temporal.Namespace,
		"WAFT_TEMPORAL_UI_URL": "http://" + named(s.ports.TemporalUI),
	}
	for name := range addresses {
		if value := os.Getenv(name); value != "" {
			addresses[name] = value
		}
	}
	return addresses
}
