// Package ownserver starts a Waft server on running engines, with its own databases, task queue and folders. End
// removes all of them.
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

// endLimit is the time limit of each step of End. The steps run even if the caller's context has ended.
const endLimit = 30 * time.Second

// Server is an installation of Waft with its own processes.
type Server struct {
	// RootKey is the installation's root key.
	RootKey string
	// DatabaseURL is the installation's database in Postgres.
	DatabaseURL string
	// Folder is the folder of all files of the installation.
	Folder string

	binary, taskQueue string
	settings          map[string]string
	// atEnd has a step to undo each step of the setup, in the order of the setup.
	atEnd []func(ctx context.Context) error
}

// Prepare creates the folders, and the databases with this version's schemas on the engines. binary is the path of
// waftd. If Prepare fails, it removes everything that it created; otherwise the caller must call End.
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

// Start runs waftd in a role, "serve" or "api", with more settings, and returns its URL once it is ready.
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

// Exec runs a statement in the installation's Postgres, as an operator could.
func (s *Server) Exec(ctx context.Context, statement string, args ...any) error {
	conn, err := pgx.Connect(ctx, s.DatabaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement, args...)
	return err
}

// End stops the processes and deletes the workflows, databases and folders. It executes every step even if some fail,
// and returns all errors.
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
		delete(settings, name) // `waftd migrate` works without them
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
