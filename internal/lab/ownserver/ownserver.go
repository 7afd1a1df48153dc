// Package ownserver starts a Waft server of its own on engines that run: with databases, a task queue and folders that nothing else uses.
// End leaves nothing of it behind.
package ownserver

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/models"
)

// endLimit bounds each step of the end, which a context that has ended does not shorten.
const endLimit = 30 * time.Second

// Server is an installation of Waft with processes of its own.
type Server struct {
	// RootKey is the installation's root key.
	RootKey string
	// DatabaseURL is the installation's database in Postgres.
	DatabaseURL string
	// Folder holds all that the installation stores in files.
	Folder string

	binary, taskQueue string
	settings          map[string]string
	// atEnd has a step for everything that was made, in that order.
	atEnd []func(ctx context.Context) error
}

// Prepare makes the databases with this version's schemas and the folders, on the engines. binary is the path of waftd. After an error
// nothing is left of what was made; otherwise the caller calls End.
func Prepare(ctx context.Context, binary string, engines Engines) (*Server, error) {
	s := &Server{binary: binary, RootKey: models.NewAPIKeyToken().Reveal(), taskQueue: "own-" + uuid.NewString()}
	if err := s.prepare(ctx, engines); err != nil {
		return nil, errors.Join(err, s.End())
	}
	return s, nil
}

func (s *Server) prepare(ctx context.Context, engines Engines) (err error) {
	if s.Folder, err = os.MkdirTemp("", "waft-own-"); err != nil {
		return err
	}
	s.atEnd = append(s.atEnd, func(context.Context) error { return os.RemoveAll(s.Folder) })
	assets := filepath.Join(s.Folder, "assets")
	if err := os.Mkdir(assets, 0o700); err != nil {
		return err
	}
	if s.DatabaseURL, err = s.database(ctx, engines.DatabaseURL, " WITH (FORCE)", onPostgres); err != nil {
		return err
	}
	clickHouseURL, err := s.database(ctx, engines.ClickHouseURL, "", onClickHouse)
	if err != nil {
		return err
	}
	s.settings = map[string]string{
		"DATABASE_URL": s.DatabaseURL, "CLICKHOUSE_URL": clickHouseURL,
		"TEMPORAL_ADDRESS": engines.TemporalAddress, "TEMPORAL_NAMESPACE": engines.namespace(),
		"WAFT_TASK_QUEUE": s.taskQueue, "WAFT_LISTEN_ADDR": "127.0.0.1:0", "WAFT_ADMIN_ADDR": "127.0.0.1:0",
		"WAFT_ROOT_KEY": s.RootKey, "WAFT_SECRET_KEY": base64.StdEncoding.EncodeToString(make([]byte, 32)),
		"WAFT_ASSET_BUCKET_URL": "file://" + filepath.ToSlash(assets), "WAFT_LOG_LEVEL": "info",
	}
	if err := s.migrate(ctx); err != nil {
		return err
	}
	s.atEnd = append(s.atEnd, func(ctx context.Context) error { return deleteWorkflows(ctx, engines, s.taskQueue) })
	return nil
}

// Start runs a role of waftd, "serve" or "api", with more settings, and returns its URL once it is ready.
func (s *Server) Start(ctx context.Context, role string, more map[string]string) (url string, err error) {
	data, err := os.MkdirTemp(s.Folder, role+"-")
	if err != nil {
		return "", err
	}
	settings := maps.Clone(s.settings)
	maps.Copy(settings, more)
	settings["WAFT_DATA_DIR"] = data
	p, err := launch(s.command(settings, role))
	if err != nil {
		return "", err
	}
	s.atEnd = append(s.atEnd, p.stop)
	return p.ready(ctx)
}

// Exec runs a statement in the installation's Postgres, as its operator may.
func (s *Server) Exec(ctx context.Context, statement string, args ...any) error {
	conn, err := pgx.Connect(ctx, s.DatabaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement, args...)
	return err
}

// End ends the processes and deletes the workflows, the databases and the folders. It does all it can before it returns errors.
func (s *Server) End() (err error) {
	for _, step := range slices.Backward(s.atEnd) {
		ctx, cancel := context.WithTimeout(context.Background(), endLimit)
		err = errors.Join(err, step(ctx))
		cancel()
	}
	s.atEnd = nil
	return err
}

func (s *Server) migrate(ctx context.Context) error {
	settings := maps.Clone(s.settings)
	for _, name := range []string{"WAFT_ROOT_KEY", "WAFT_SECRET_KEY", "WAFT_ASSET_BUCKET_URL"} {
		delete(settings, name) // it needs none of them
	}
	p, err := launch(s.command(settings, "migrate"))
	if err != nil {
		return err
	}
	select {
	case <-p.ended:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if stopped := p.stop(context.WithoutCancel(ctx)); err == nil && stopped != nil {
		err = fmt.Errorf("waftd migrate: %w\n%s", stopped, strings.Join(p.lastLines(), "\n"))
	}
	return err
}
