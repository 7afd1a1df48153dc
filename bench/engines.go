package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// dropTime is for cleaning up, also after an interrupt.
const dropTime = 30 * time.Second

// engines are fresh databases in the engines that the environment names.
type engines struct {
	databaseURL, baselineURL, clickHouseURL string
	temporal                                string
	drops                                   []func(ctx context.Context) error
}

func newEngines(ctx context.Context) (_ *engines, err error) {
	e := &engines{temporal: os.Getenv("TEMPORAL_ADDRESS")}
	for _, name := range []string{"DATABASE_URL", "CLICKHOUSE_URL", "TEMPORAL_ADDRESS"} {
		if os.Getenv(name) == "" {
			return nil, fmt.Errorf("%s is not set: run `make bench`, or source .waft/engines.env", name)
		}
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.close())
		}
	}()
	if e.databaseURL, err = e.postgres(ctx); err != nil {
		return nil, err
	}
	if e.baselineURL, err = e.postgres(ctx); err != nil {
		return nil, err
	}
	e.clickHouseURL, err = e.clickHouse(ctx)
	return e, err
}

func (e *engines) postgres(ctx context.Context) (string, error) {
	server, name := os.Getenv("DATABASE_URL"), databaseName()
	if err := execPostgres(ctx, server, "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	e.drops = append(e.drops, func(ctx context.Context) error {
		return execPostgres(ctx, server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	})
	return withDatabase(server, name)
}

func (e *engines) clickHouse(ctx context.Context) (string, error) {
	server, name := os.Getenv("CLICKHOUSE_URL"), databaseName()
	execute := func(ctx context.Context, statement string) error {
		at, err := withDatabase(server, "")
		if err != nil {
			return err
		}
		_, err = send(ctx, http.MethodPost, at, "text/plain", statement, nil, http.StatusOK)
		return err
	}
	if err := execute(ctx, "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	e.drops = append(e.drops, func(ctx context.Context) error { return execute(ctx, "DROP DATABASE IF EXISTS "+name) })
	return withDatabase(server, name)
}

// close drops the databases.
func (e *engines) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), dropTime)
	defer cancel()
	var errs []error
	for _, drop := range e.drops {
		errs = append(errs, drop(ctx))
	}
	return errors.Join(errs...)
}

func databaseName() string { return "bench_" + strings.ReplaceAll(uuid.NewString(), "-", "") }

func execPostgres(ctx context.Context, server, statement string) error {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return errors.New("DATABASE_URL: Postgres is not reachable")
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

func withDatabase(server, name string) (string, error) {
	u, err := url.Parse(server)
	if err != nil {
		return "", errors.New("a database URL is malformed")
	}
	u.Path = "/" + name
	return u.String(), nil
}
