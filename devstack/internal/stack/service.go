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
	// startLimit bounds how long a process may take until it answers.
	startLimit = 90 * time.Second
	// readyInterval is how often a starting process is asked whether it is ready.
	readyInterval = 20 * time.Millisecond
	// readyTimeout bounds one such question.
	readyTimeout = 5 * time.Second
)

// service is one process of the stack.
type service struct {
	name string
	// external is the environment variable that names an instance running elsewhere.
	external string
	// ports are the ports it listens on.
	ports []port
	// spec says how to start it, after preparing its folder.
	spec func(ctx context.Context) (process.Spec, error)
	// ready fails until the process answers.
	ready func(ctx context.Context) error
	// signal asks it to stop, within grace.
	signal syscall.Signal
	grace  time.Duration
	// cleanup ends helper processes that may outlive the process; nil when there are none.
	cleanup func() error
}

// outcome is the result of starting a service.
type outcome struct {
	record process.Record
	// started reports that it did not run before.
	started bool
	took    time.Duration
}

// ensure starts the service when it does not run and waits until it answers.
// A record comes back even with an error when this call started the process.
func (s *Stack) ensure(ctx context.Context, svc service) (outcome, error) {
	begin := time.Now()
	if record := process.Load(s.Dir, svc.name); record.Alive() {
		err := s.await(ctx, svc, nil)
		return outcome{record: record, took: time.Since(begin)}, err
	}

	spec, err := svc.spec(ctx)
	if err != nil {
		return outcome{}, err
	}
	started, err := process.Start(s.Dir, spec)
	if err != nil {
		return outcome{}, err
	}
	err = s.await(ctx, svc, started)
	return outcome{record: started.Record, started: true, took: time.Since(begin)}, err
}

// await polls until the service is ready, its process has ended, or startLimit has
// passed. The process is nil when an earlier command started it.
func (s *Stack) await(ctx context.Context, svc service, p *process.Process) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startLimit, errTooSlow)
	defer cancel()

	var done <-chan struct{}
	if p != nil {
		done = p.Done()
	}
	tick := time.NewTicker(readyInterval)
	defer tick.Stop()
	for {
		err := ask(ctx, svc)
		if err == nil {
			return nil
		}
		select {
		case <-done:
			return p.Failure()
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), errTooSlow) {
				return fmt.Errorf("%s runs but does not answer: %w (log: %s)", svc.name, err, s.path("log", svc.name+".log"))
			}
			return ctx.Err()
		case <-tick.C:
		}
	}
}

var errTooSlow = errors.New("not ready in time")

func ask(ctx context.Context, svc service) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	return svc.ready(ctx)
}
