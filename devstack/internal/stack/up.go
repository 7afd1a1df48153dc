package stack

import (
	"context"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// Up starts the missing processes and returns when all are ready. On an error it stops the
// processes that it started.
func (s *Stack) Up(ctx context.Context) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if !s.EnginesOnly {
		if err := s.findServer(); err != nil {
			return err
		}
	}
	if err := s.ports.save(s.Dir); err != nil {
		return err
	}
	var started []service
	if err := s.start(ctx, &started); err != nil {
		_ = s.stop(started) // the first error explains the failure
		return err
	}
	return nil
}

func (s *Stack) start(ctx context.Context, started *[]service) error {
	var engines, server []service
	for _, svc := range s.engines() {
		if os.Getenv(svc.external) != "" {
			s.say("%-11s given in %s", svc.name, svc.external)
			continue
		}
		engines = append(engines, svc)
	}
	if !s.EnginesOnly {
		server = s.server()
	}
	if err := s.claimPorts(ctx, slices.Concat(engines, server)); err != nil {
		return err
	}
	if err := s.startAll(ctx, engines, started); err != nil {
		return err
	}
	addresses := s.engineAddresses()
	if !s.EnginesOnly {
		addresses["WAFT_URL"] = "http://" + named(s.ports.API)
		addresses["WAFT_ADMIN_URL"] = "http://" + named(s.ports.Admin)
	}
	if err := process.WriteFile(s.path("engines.env"), []byte(formatEnv(addresses)), 0o600); err != nil {
		return err
	}
	if s.EnginesOnly {
		return nil
	}
	if err := s.migrate(ctx); err != nil {
		return err
	}
	return s.startAll(ctx, server, started)
}

// claimPorts checks before anything starts that every service that is not running can listen.
func (s *Stack) claimPorts(ctx context.Context, services []service) error {
	for _, svc := range services {
		record := process.Load(s.Dir, svc.name)
		if record.Alive() {
			continue
		}
		var patience time.Duration
		if record.Pid != 0 {
			// The process has ended. The kernel may still end its threads, and the last thread releases the port.
			patience = exitLimit
		}
		for _, p := range svc.ports {
			if err := p.await(ctx, patience); err != nil {
				return err
			}
		}
	}
	return nil
}

// startAll starts the services concurrently. The first failure cancels the waiting for
// the others. It appends the services that it started to started, even on failure.
func (s *Stack) startAll(ctx context.Context, services []service, started *[]service) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	var group sync.WaitGroup
	for _, svc := range services {
		group.Go(func() {
			ours, err := s.ensure(ctx, svc)
			if ours {
				mu.Lock()
				defer mu.Unlock()
				*started = append(*started, svc)
			}
			if err != nil {
				cancel(err)
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}
