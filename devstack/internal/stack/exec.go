package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/waft-ota/waft/devstack/internal/postgres"
	"github.com/waft-ota/waft/devstack/internal/process"
)

// Exec runs the command with engines of its own, which are removed when it ends, and
// returns the command's exit code.
func Exec(ctx context.Context, config Config, keepLogs bool, command []string) (code int, err error) {
	program, err := exec.LookPath(command[0])
	if err != nil {
		return 127, fmt.Errorf("%s: %w", command[0], errors.Unwrap(err))
	}
	if config.Ports, err = freePorts(); err != nil {
		return 1, err
	}
	release, err := claimFolder(&config)
	if err != nil {
		return 1, err
	}
	defer release()
	config.EnginesOnly, config.Tethered = true, true

	s, err := Open(config)
	if err != nil {
		_ = os.RemoveAll(config.Dir)
		return 1, err
	}
	defer func() { err = errors.Join(err, s.discard(keepLogs)) }()

	starting, cancel := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	err = s.Up(starting)
	cancel()
	if err != nil {
		return 1, err
	}
	return s.run(program, command)
}

// run runs the command to its end, passing signals on to it.
func (s *Stack) run(program string, command []string) (int, error) {
	// The command receives the signals itself and decides when it ends.
	cmd := exec.CommandContext(context.Background(), program)
	cmd.Args = command
	cmd.Env = overlay(s.engineAddresses())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{}

	// At a terminal the command shares this process's group, so that it can
	// read, and Ctrl-C reaches both. Elsewhere it gets a group, which can be
	// signalled and killed as a whole.
	grouped := !term.IsTerminal(int(os.Stdin.Fd()))
	cmd.SysProcAttr.Setpgid = grouped
	process.Tether(cmd.SysProcAttr, syscall.SIGTERM)

	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer signal.Stop(signals)
	if err := process.Spawn(cmd); err != nil {
		return 126, fmt.Errorf("run %s: %w", command[0], err)
	}
	ended := make(chan struct{})
	go func() { pass(signals, cmd.Process.Pid, grouped, ended) }()

	err := cmd.Wait()
	close(ended)
	if grouped {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 1, err
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		// As a shell reports it.
		return 128 + int(status.Signal()), nil
	}
	return cmd.ProcessState.ExitCode(), nil
}

func pass(signals <-chan os.Signal, pid int, grouped bool, ended <-chan struct{}) {
	for {
		select {
		case <-ended:
			return
		case sig := <-signals:
			number, ok := sig.(syscall.Signal)
			switch {
			case !ok:
			case grouped:
				_ = syscall.Kill(-pid, number)
			case number != syscall.SIGINT && number != syscall.SIGQUIT:
				// The terminal has already sent those two to both.
				_ = syscall.Kill(pid, number)
			}
		}
	}
}

// discard kills the engines and removes their folder.
func (s *Stack) discard(keepLogs bool) error {
	engines := s.engines()
	for i := range engines {
		engines[i].signal, engines[i].grace = syscall.SIGKILL, time.Second
		if engines[i].name == postgres.Name {
			// Postgres must be able to tell its child processes to end.
			engines[i].signal, engines[i].grace = syscall.SIGQUIT, 5*time.Second
		}
	}
	s.Out = io.Discard
	err := errors.Join(s.stop(engines), postgres.Remove(s.Dir))
	if keepLogs {
		fmt.Fprintln(os.Stderr, "devstack: the engines' logs are in "+s.path("log"))
		for _, name := range []string{"postgres", "clickhouse", "temporal"} {
			err = errors.Join(err, os.RemoveAll(filepath.Join(s.Dir, name)))
		}
		return err
	}
	return errors.Join(err, os.RemoveAll(s.Dir))
}
