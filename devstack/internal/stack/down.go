package stack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/waft-ota/waft/devstack/internal/postgres"
	"github.com/waft-ota/waft/devstack/internal/process"
)

// Down stops everything that runs in the folder, the server before the
// engines. Doing it twice is harmless.
func (s *Stack) Down() error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	return s.down()
}

func (s *Stack) down() error {
	if err := s.stop(slices.Concat(s.server(), s.engines())); err != nil {
		return err
	}
	// The next start chooses ports anew.
	for _, path := range []string{portsFile(s.Dir), s.path("engines.env")} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// stop ends the services: first the server's processes, then the engines, those of
// a kind concurrently.
func (s *Stack) stop(services []service) error {
	var server, engines []service
	for _, svc := range services {
		if svc.external == "" {
			server = append(server, svc)
		} else {
			engines = append(engines, svc)
		}
	}

	var problems []error
	for _, concurrent := range [][]service{server, engines} {
		var group sync.WaitGroup
		errs := make([]error, len(concurrent))
		for i, svc := range concurrent {
			group.Go(func() { errs[i] = s.stopOne(svc) })
		}
		group.Wait()
		problems = append(problems, errs...)
	}
	return errors.Join(problems...)
}

func (s *Stack) stopOne(svc service) error {
	record := process.Load(s.Dir, svc.name)
	ran := record.Alive()
	record.Stop(svc.signal, svc.grace)
	if svc.cleanup != nil {
		if err := svc.cleanup(); err != nil {
			return err
		}
	}
	if record.Alive() {
		return fmt.Errorf("%s (pid %d) does not end", svc.name, record.Pid)
	}
	if ran {
		s.say("%-11s stopped", svc.name)
	}
	return process.Forget(s.Dir, svc.name)
}

// Reset stops everything and removes what the folder holds.
func (s *Stack) Reset() error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()

	if err := s.down(); err != nil {
		return err
	}
	if err := postgres.Remove(s.Dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if err := os.RemoveAll(filepath.Join(s.Dir, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// Wait blocks until ctx ends and then stops everything. It reports processes that die
// meanwhile, and returns early when another command has stopped them all.
func (s *Stack) Wait(ctx context.Context) error {
	s.say("watching %s", s.Dir)
	watch := newWatch(s)
	for watch.step(ctx) {
	}
	if ctx.Err() == nil {
		return nil
	}
	return s.Down()
}
