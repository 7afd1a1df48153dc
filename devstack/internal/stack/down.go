package stack

import (
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

// Down stops everything that runs in the folder, the server before the engines.
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
	// The next start chooses the ports again.
	for _, path := range []string{portsFile(s.Dir), s.path("engines.env")} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// stop ends the services concurrently, but the server's processes before the engines.
func (s *Stack) stop(services []service) (err error) {
	for _, engines := range []bool{false, true} {
		var group sync.WaitGroup
		errs := make([]error, len(services))
		for i, svc := range services {
			if engines == (svc.external != "") {
				group.Go(func() { errs[i] = s.stopOne(svc) })
			}
		}
		group.Wait()
		err = errors.Join(err, errors.Join(errs...))
	}
	return err
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

// Reset stops everything and deletes the content of the folder.
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
