// Package stack starts, watches and stops everything that Waft runs on.
package stack

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// Config has the parts to run and their folder and ports.
type Config struct {
	// Dir is the data folder, Waftd the server's program, and Self the devstack program,
	// which also runs the engines that are libraries.
	Dir, Waftd, Self string
	// EnginesOnly leaves the server out.
	EnginesOnly bool
	// Durable turns on fsync in Postgres.
	Durable bool
	// Contained makes the API listen on all addresses of the container that this process is the program of.
	Contained bool
	// Tethered kills every process when this one ends.
	Tethered bool
	// Ports are the ports to listen on; zero chooses them.
	Ports Ports
	// Out is for messages, such as one line per process.
	Out io.Writer
}

// Stack is the processes of one data folder.
type Stack struct {
	Config

	ports   Ports
	secrets map[string]string
}

// Open prepares the folder, and chooses ports and secrets that it does not have.
func Open(config Config) (*Stack, error) {
	dir, err := filepath.Abs(config.Dir)
	if err != nil {
		return nil, err
	}
	config.Dir = dir
	if err := privateFolder(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "log"), 0o700); err != nil {
		return nil, err
	}
	s := &Stack{Config: config, ports: config.Ports}
	if s.ports == (Ports{}) {
		if s.ports, err = choosePorts(dir); err != nil {
			return nil, err
		}
	}
	if s.secrets, err = secrets(dir); err != nil {
		return nil, err
	}
	return s, nil
}

// lock excludes other commands that change the folder.
func (s *Stack) lock() (unlock func(), err error) {
	file, err := lockFile(s.path("lock"), syscall.LOCK_EX)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", s.Dir, err)
	}
	return func() { file.Close() }, nil
}

func (s *Stack) path(parts ...string) string {
	return filepath.Join(append([]string{s.Dir}, parts...)...)
}

func (s *Stack) say(format string, args ...any) {
	fmt.Fprintf(s.Out, format+"\n", args...)
}
