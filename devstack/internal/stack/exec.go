package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/waft-ota/waft/devstack/internal/postgres"
	"github.com/waft-ota/waft/devstack/internal/process"
)

// Exec runs the command with new engines, which are removed when it ends, and returns the
// command's exit code.
func Exec(ctx context.Context, config Config, command []string) (code int, err error) {
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
	defer func() { err = errors.Join(err, s.discard()) }()
	starting, cancel := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	err = s.Up(starting)
	cancel()
	if err != nil {
		return 1, err
	}
	return s.run(program, command)
}

func (s *Stack) run(program string, command []string) (int, error) {
	// The command receives the signals and decides when to end.
	cmd := exec.CommandContext(context.Background(), program)
	cmd.Args = command
	cmd.Env = overlay(s.engineAddresses())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	// At a terminal the command is in this process's group, so that it can read, and the
	// terminal sends Ctrl-C to both. Elsewhere it has a group, which can be killed.
	grouped := !term.IsTerminal(int(os.Stdin.Fd()))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: grouped}
	process.Tether(cmd.SysProcAttr, syscall.SIGTERM)
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	if err := process.Spawn(cmd); err != nil {
		return 126, fmt.Errorf("run %s: %w", command[0], err)
	}
	go pass(signals, cmd.Process.Pid, grouped)
	err := cmd.Wait()
	signal.Stop(signals)
	close(signals)
	if grouped {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 1, err
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		// As shells report it.
		return 128 + int(status.Signal()), nil
	}
	return cmd.ProcessState.ExitCode(), nil
}

func pass(signals <-chan os.Signal, pid int, grouped bool) {
	for sig := range signals {
		number, ok := sig.(syscall.Signal)
		switch {
		case !ok:
		case grouped:
			_ = syscall.Kill(-pid, number)
		case number != syscall.SIGINT && number != syscall.SIGQUIT:
			// The terminal has sent those two to both.
			_ = syscall.Kill(pid, number)
		}
	}
}

// discard kills the engines and removes their folder.
func (s *Stack) discard() error {
	engines := s.engines()
	for i := range engines {
		engines[i].signal, engines[i].grace = syscall.SIGKILL, time.Second
		if engines[i].name == postgres.Name {
			// Postgres then ends its child processes.
			engines[i].signal, engines[i].grace = syscall.SIGQUIT, 5*time.Second
		}
	}
	s.Out = io.Discard
	return errors.Join(s.stop(engines), postgres.Remove(s.Dir), os.RemoveAll(s.Dir))
}
