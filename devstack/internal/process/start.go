package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
)

// logLimit is the size from which a log is set aside when its process starts.
const logLimit = 32 << 20

// Process is a child of this process.
type Process struct {
	Record

	done    chan struct{}
	from    int64
	exitErr error
}

// Start starts the process with its output appended to <dir>/log/<name>.log
// and records it in dir.
func Start(dir string, spec Spec) (*Process, error) {
	log, err := openLog(dir, spec.Name)
	if err != nil {
		return nil, err
	}
	defer log.Close()

	at, err := log.Seek(0, 2)
	if err != nil {
		return nil, err
	}

	// The process outlives this call, and mostly this program.
	cmd := exec.CommandContext(context.Background(), spec.Path, spec.Args...)
	cmd.Env, cmd.Dir = spec.Env, spec.Dir
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = spec.Attributes()
	if err := Spawn(cmd); err != nil {
		return nil, fmt.Errorf("start %s: %w", spec.Name, err)
	}

	p := &Process{
		Record: Record{
			Name:    spec.Name,
			Pid:     cmd.Process.Pid,
			Born:    bornAt(cmd.Process.Pid),
			Address: spec.Address,
			Log:     log.Name(),
		},
		done: make(chan struct{}),
		from: at,
	}
	go func() {
		p.exitErr = cmd.Wait()
		close(p.done)
	}()

	if err := p.Save(dir); err != nil {
		return nil, errors.Join(fmt.Errorf("record %s: %w", spec.Name, err), cmd.Process.Kill())
	}
	return p, nil
}

// Done is closed once the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Failure returns why an ended process ended, in one line taken from its output.
func (p *Process) Failure() error {
	reason := Reason(string(tail(p.Log, p.from)), p.exitErr)
	return fmt.Errorf("%s stopped while starting: %s (log: %s)", p.Name, reason, p.Log)
}

func openLog(dir, name string) (*os.File, error) {
	path := filepath.Join(dir, "log", name+".log")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil && info.Size() > logLimit {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, err
		}
	}
	return os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
}

var (
	spawner   = make(chan func())
	startOnce sync.Once
)

// Spawn starts cmd from one thread that lives as long as this process: the
// kernel counts the thread as the parent when it decides whose death ends a
// tethered child.
func Spawn(cmd *exec.Cmd) error {
	startOnce.Do(func() {
		go func() {
			runtime.LockOSThread()
			for start := range spawner {
				start()
			}
		}()
	})

	result := make(chan error)
	spawner <- func() { result <- cmd.Start() }
	return <-result
}
