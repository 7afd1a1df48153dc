package stack

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/waft-ota/waft/devstack/internal/process"
)

func (s *Stack) server() []service {
	return []service{
		s.waftd("api", port{s.ports.API, "the API", "WAFT_PORT"}, port{s.ports.Admin, "the API's metrics", "WAFT_ADMIN_PORT"}),
		s.waftd("worker", port{s.ports.Worker, "the worker's probes", "WAFT_WORKER_PORT"},
			port{s.ports.WorkerAdmin, "the worker's metrics", "WAFT_WORKER_ADMIN_PORT"}),
	}
}

func (s *Stack) waftd(role string, listen, admin port) service {
	address := loopback(listen.number)
	return service{
		name:  role,
		ports: []port{listen, admin},
		spec: func(context.Context) (process.Spec, error) {
			spec := s.self(role, listen.number, role)
			spec.Path, spec.Env = s.Waftd, s.serverEnv(role)
			return spec, nil
		},
		ready: func(ctx context.Context) error {
			_, err := process.Get(ctx, "http://"+address+"/readyz")
			return err
		},
		signal: syscall.SIGTERM,
		grace:  30 * time.Second,
	}
}

// keys are the names of the keys that a role needs.
var keys = map[string][]string{"api": {"WAFT_ROOT_KEY", "WAFT_SECRET_KEY"}, "worker": {"WAFT_SECRET_KEY"}}

// serverEnv returns the environment of a waftd process with a role, which is "api", "worker" or "migrate". The caller's variables
// have precedence.
func (s *Stack) serverEnv(role string) []string {
	vars := s.engineAddresses()
	vars["WAFT_LISTEN_ADDR"], vars["WAFT_ADMIN_ADDR"] = s.listening(role)
	vars["WAFT_BASE_URL"] = "http://" + named(s.ports.API)
	vars["WAFT_DATA_DIR"] = s.path("data")
	vars["WAFT_ASSET_BUCKET_URL"] = "file://" + filepath.ToSlash(s.path("assets"))
	vars["WAFT_OTHER_ADMIN_ADDRS"] = loopback(s.ports.Admin) + "," + loopback(s.ports.WorkerAdmin)
	if s.Contained {
		// Temporal's web UI is inside of the container, where no browser reaches it.
		delete(vars, "WAFT_TEMPORAL_UI_URL")
	} else {
		// On a development machine, receivers of webhooks listen on loopback.
		vars["WAFT_WEBHOOK_ALLOWED_NETWORKS"] = "127.0.0.0/8,::1"
	}
	for _, key := range keys[role] {
		vars[key] = s.secrets[key]
	}
	return underlay(vars)
}

// listening returns the addresses on which a process with the role listens: for its clients, and for operators.
func (s *Stack) listening(role string) (address, admin string) {
	switch {
	case role == "worker":
		return loopback(s.ports.Worker), loopback(s.ports.WorkerAdmin)
	case s.Contained:
		return "0.0.0.0:" + strconv.Itoa(s.ports.API), loopback(s.ports.Admin)
	default:
		return loopback(s.ports.API), loopback(s.ports.Admin)
	}
}

// findServer checks that the server is built, before anything starts.
func (s *Stack) findServer() error {
	path, err := filepath.Abs(s.Waftd)
	if err != nil {
		return err
	}
	if _, err := exec.LookPath(path); err != nil {
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

func (s *Stack) migrate(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, s.Waftd, "migrate")
	cmd.Env, cmd.Dir = s.serverEnv("migrate"), s.Dir
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
