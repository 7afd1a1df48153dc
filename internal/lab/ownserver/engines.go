package ownserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Engines names the engines that an own server uses. The databases in the URLs must exist and are not changed, because
// the server creates its own databases in the engines.
type Engines struct {
	// DatabaseURL is the URL of a Postgres user who may create databases.
	DatabaseURL string
	// ClickHouseURL is an http or https URL.
	ClickHouseURL string
	// TemporalAddress is host:port.
	TemporalAddress string
	// TemporalNamespace is the namespace, or "" for Temporal's default.
	TemporalNamespace string
}

func (e Engines) namespace() string { return cmp.Or(e.TemporalNamespace, "default") }

// execute runs a statement on an engine.
type execute func(ctx context.Context, server, statement string) error

// database creates a database and returns its URL. End drops the database, with suffix appended to the statement.
func (s *Server) database(ctx context.Context, server, suffix string, run execute) (string, error) {
	u, err := url.Parse(server)
	if err != nil {
		return "", errors.New("the URL of an engine is malformed")
	}
	name := "own_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	// End also has to drop the database if this statement fails, because the engine may have run it before the response
	// was lost.
	s.atEnd = append(s.atEnd, func(ctx context.Context) error { return run(ctx, server, "DROP DATABASE IF EXISTS "+name+suffix) })
	if err := run(ctx, server, "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	u.Path = "/" + name
	return u.String(), nil
}

// onPostgres hides the driver's error when it cannot connect, because that error may contain credentials.
func onPostgres(ctx context.Context, server, statement string) error {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return errors.New("DATABASE_URL: Postgres cannot be reached")
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// onClickHouse hides the client's error, because that error contains the URL and with it the password.
func onClickHouse(ctx context.Context, server, statement string) error {
	u, err := url.Parse(server)
	if err != nil {
		return errors.New("CLICKHOUSE_URL is malformed")
	}
	u.Path = "/"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(statement))
	if err != nil {
		return errors.New("CLICKHOUSE_URL is malformed")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return errors.New("CLICKHOUSE_URL: ClickHouse cannot be reached over HTTP")
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 1<<10))
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("ClickHouse refused %q: %s %s", statement, res.Status, text)
	}
	return err
}
