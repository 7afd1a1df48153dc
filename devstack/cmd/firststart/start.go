package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"time"
)

// Size of the source that is compiled with empty caches, in bytes, without the standard library:
// the engines and the server together, and the same with the Temporal CLI instead of the
// compiled Temporal server.
const (
	sourceWithTemporal    = 92e6
	sourceWithoutTemporal = 47e6
)

// marker is npm's file about the installed packages. make compares its time with the time of the
// lock file.
const marker = "node_modules/.package-lock.json"

type start struct {
	binaries        task
	engines, server *build
}

// source returns how many bytes of source must be compiled: exactly, when all modules
// are here, and else what it is with empty caches.
func (s *start) source(ctx context.Context) float64 {
	const offline = "GOPROXY=off"
	if s.engines.list(ctx, nil, offline) == nil && s.server.list(ctx, s.engines.sizes, offline) == nil {
		return float64(s.engines.total + s.server.total)
	}
	if strings.Contains(strings.Join(s.engines.flags, " "), "temporalcli") {
		return sourceWithoutTemporal
	}
	return sourceWithTemporal
}

// run downloads and compiles at the same time: the standard library compiles while the
// engines' modules download, the engines while the server's modules and the binaries of
// Postgres and ClickHouse download.
func (s *start) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var group sync.WaitGroup
	var mu sync.Mutex
	var problems []error
	do := func(work func() error) {
		group.Go(func() {
			if err := work(); err != nil {
				mu.Lock()
				defer mu.Unlock()
				problems = append(problems, err)
				cancel() // errors that this causes come after it
			}
		})
	}
	do(func() error { return s.install(ctx) })
	do(func() error { return compileLibrary(ctx) })
	do(func() error {
		if err := s.engines.list(ctx, nil); err != nil {
			return err
		}
		do(func() error { return s.server.list(ctx, s.engines.sizes) })
		return s.engines.compile(ctx)
	})
	group.Wait()
	if len(problems) > 0 {
		return problems[0]
	}
	return s.server.compile(ctx)
}

func (s *start) install(ctx context.Context) error {
	if installed, err := os.Stat(marker); err == nil {
		if lock, err := os.Stat("package-lock.json"); err == nil && !lock.ModTime().After(installed.ModTime()) {
			return nil
		}
	}
	err := s.binaries.run(ctx, command{
		dir: ".", name: "npm",
		args: []string{"ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"},
	})
	now := time.Now()
	return errors.Join(err, os.Chtimes(marker, now, now))
}

// compileLibrary compiles the parts of the standard library that the programs use.
func compileLibrary(ctx context.Context) error {
	return new(task).run(ctx, command{dir: ".", name: "go", args: []string{
		"build", "database/sql", "encoding/...", "go/...", "html/template", "net/http/...", "runtime/pprof", "testing",
	}})
}
