package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// server is Waft itself: the API and the worker.
func (s *Stack) server() []service {
	return []service{
		s.waftd("api", port{s.ports.API, "the API", "WAFT_PORT"}),
		s.waftd("worker", port{s.ports.Worker, "the worker's metrics", "WAFT_WORKER_PORT"}),
	}
}

func (s *Stack) waftd(role string, listen port) service {
	address := loopback(listen.number)
	return service{
		name:  role,
		ports: []port{listen},
		spec: func(context.Context) (process.Spec, error) {
			return process.Spec{
				Name:     role,
				Path:     s.Waftd,
				Args:     []string{role},
				Env:      s.serverEnv(address),
				Dir:      s.Dir,
				Address:  address,
				Tethered: s.Tethered,
			}, nil
		},
		ready:  func(ctx context.Context) error { return readyz(ctx, address) },
		signal: syscall.SIGTERM,
		grace:  30 * time.Second,
	}
}

// serverEnv is the environment of a waftd process that listens on address.
// Variables that the caller has set are kept.
func (s *Stack) serverEnv(address string) []string {
	vars := s.engineAddresses()
	vars["WAFT_LISTEN_ADDR"] = address
	vars["WAFT_BASE_URL"] = "http://" + loopback(s.ports.API)
	vars["WAFT_DATA_DIR"] = s.path("data")
	vars["WAFT_ASSET_BUCKET_URL"] = "file://" + filepath.ToSlash(s.path("assets"))
	// On a development machine webhooks are received on loopback.
	vars["WAFT_WEBHOOK_ALLOWED_NETWORKS"] = "127.0.0.0/8,::1"
	maps.Copy(vars, s.secrets)
	delete(vars, passwordName)
	return underlay(vars)
}

// findServer checks that there is a server to start before anything runs.
func (s *Stack) findServer() error {
	path, err := filepath.Abs(s.Waftd)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil || info.IsDir() || info.Mode().Perm()&0o111 == 0 {
		return fmt.Errorf("the server %s is not built: run 'make build', or pass --engines-only", s.Waftd)
	}
	s.Waftd = path
	for _, folder := range []string{"data", "assets"} {
		if err := os.MkdirAll(s.path(folder), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// migrate brings the databases to the server's schema.
func (s *Stack) migrate(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, s.Waftd, "migrate")
	cmd.Env, cmd.Dir = s.serverEnv(loopback(s.ports.API)), s.Dir
	output, err := cmd.CombinedOutput()
	log := s.path("log", "migrate.log")
	if writeErr := process.WriteFile(log, output, 0o644); writeErr != nil {
		return writeErr
	}
	if err != nil {
		return fmt.Errorf("migrate failed: %s (log: %s)", process.Reason(string(output), err), log)
	}
	return nil
}

func readyz(ctx context.Context, address string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusOK {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, 300))
	return errors.Join(fmt.Errorf("/readyz answers %s: %s", res.Status, strings.TrimSpace(string(body))), err)
}
