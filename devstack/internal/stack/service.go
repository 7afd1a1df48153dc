package stack

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/waft-ota/waft/devstack/internal/process"
)

const (
	// startLimit bounds the time until a process is ready.
	startLimit = 90 * time.Second
	// exitLimit bounds the time in which an ended process releases its ports.
	exitLimit = 5 * time.Second
	// readyInterval is the time between two checks whether a process is ready.
	readyInterval = 20 * time.Millisecond
	// readyTimeout bounds one check.
	readyTimeout = 5 * time.Second
)

type service struct {
	name string
	// external is the environment variable with the address of an engine that runs
	// elsewhere. It is empty for the server's processes.
	external string
	ports    []port
	// spec prepares its folder and returns how to start it.
	spec func(ctx context.Context) (process.Spec, error)
	// ready returns an error until the process is ready.
	ready func(ctx context.Context) error
	// signal ends it. It is killed after grace.
	signal syscall.Signal
	grace  time.Duration
	// cleanup, if not nil, ends child processes that outlive the process.
	cleanup func() error
}

// ensure starts the service if it does not run, and waits until it is ready. It reports
// whether it started the process, even with an error.
func (s *Stack) ensure(ctx context.Context, svc service) (started bool, err error) {
	begin := time.Now()
	p := &process.Process{Record: process.Load(s.Dir, svc.name)}
	if !p.Alive() {
		spec, err := svc.spec(ctx)
		if err != nil {
			return false, err
		}
		if p, err = process.Start(s.Dir, spec); err != nil {
			return false, err
		}
		started = true
	}
	if err := s.await(ctx, svc, p); err != nil {
		return started, err
	}
	how := "was running"
	if started {
		how = fmt.Sprintf("ready in %.1f s", time.Since(begin).Seconds())
	}
	s.say("%-11s %-21s pid %-8d %s", svc.name, p.Address, p.Pid, how)
	return started, nil
}

// await polls until the service is ready, its process has ended, or startLimit has
// passed. The end of a process that an earlier command started is not noticed.
func (s *Stack) await(ctx context.Context, svc service, p *process.Process) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	tick := time.NewTicker(readyInterval)
	defer tick.Stop()
	for {
		trying, cancel := context.WithTimeout(ctx, readyTimeout)
		err := svc.ready(trying)
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-p.Done():
			return p.Failure()
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return fmt.Errorf("%s is running but not ready: %w (log: %s)", svc.name, err, s.path("log", svc.name+".log"))
			}
			return ctx.Err()
		case <-tick.C:
		}
	}
}
