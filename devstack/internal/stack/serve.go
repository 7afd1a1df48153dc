package stack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// Serve runs everything until ctx ends, as the program of a container: it prints the link that makes the first account, starts processes
// that have ended again, and at the end stops everything. Two containers must not use one folder at the same time, so it excludes others.
func (s *Stack) Serve(ctx context.Context) error {
	only, err := lockFile(s.path("serve.lock"), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("another container uses %s: stop it first", s.Dir)
	}
	if err != nil {
		return err
	}
	defer only.Close()
	err = s.serve(ctx)
	if ctx.Err() != nil {
		err = nil // it was stopped, whatever it was doing
	}
	return errors.Join(err, s.Down())
}

func (s *Stack) serve(ctx context.Context) error {
	if err := s.Up(ctx); err != nil {
		return err
	}
	if err := s.welcome(ctx); err != nil {
		return err
	}
	// Processes of an earlier command are not children of this process, so their ends are polled.
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := process.RotateLogs(s.Dir); err != nil {
			s.say("%v", err)
		}
		if s.complete() {
			continue
		}
		if err := s.Up(ctx); err != nil {
			return err
		}
	}
}

// complete reports whether every process runs, and prints the names of the others.
func (s *Stack) complete() bool {
	complete := true
	for _, svc := range slices.Concat(s.engines(), s.server()) {
		if svc.external != "" && os.Getenv(svc.external) != "" {
			continue
		}
		record := process.Load(s.Dir, svc.name)
		if !record.Alive() {
			s.say("%s (pid %d) has ended and starts again: see %s", svc.name, record.Pid, record.Log)
			complete = false
		}
	}
	return complete
}

// welcome prints the server's URL and, until an account exists, the link that makes the first one.
func (s *Stack) welcome(ctx context.Context) error {
	env := s.serverEnv("api")
	cmd := exec.CommandContext(ctx, s.Waftd, "setup-link", "--if-needed")
	cmd.Env, cmd.Dir = env, s.Dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("setup-link failed: %s", process.Reason(string(out), err))
	}
	s.say("\nWaft is ready at %s", lookup(env, "WAFT_BASE_URL"))
	if link := strings.TrimSpace(string(out)); link != "" {
		s.say("Make the first account within an hour: %s", link)
	}
	return nil
}

// Run replaces this process by a command that gets the environment of the API, with its keys and the addresses of the engines. It leaves a
// folder in which the API has not started yet as it is.
func Run(config Config, command []string) error {
	dir, err := filepath.Abs(config.Dir)
	if err != nil {
		return err
	}
	if !process.Load(dir, "api").Alive() {
		return fmt.Errorf("the API does not run in %s: start it first", dir)
	}
	path, err := exec.LookPath(command[0])
	if err != nil {
		return fmt.Errorf("%s: %w", command[0], errors.Unwrap(err))
	}
	s, err := Open(config)
	if err != nil {
		return err
	}
	env := append(s.serverEnv("api"), "WAFT_URL=http://"+loopback(s.ports.API))
	return fmt.Errorf("run %s: %w", command[0], syscall.Exec(path, command, env))
}

// lookup returns the value of a variable in an environment, which for a variable that is there twice is the last.
func lookup(env []string, name string) (value string) {
	for _, entry := range env {
		if rest, ok := strings.CutPrefix(entry, name+"="); ok {
			value = rest
		}
	}
	return value
}
