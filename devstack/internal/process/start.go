// Package process starts, identifies and stops the stack's processes.
package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
)

// Process is a child of this process.
type Process struct {
	Record

	done    chan struct{}
	from    int64 // where its output begins in the log
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
	at, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	// The process outlives this call, and usually this program.
	cmd := exec.CommandContext(context.Background(), spec.Path, spec.Args...)
	cmd.Env, cmd.Dir = spec.Env, spec.Dir
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = spec.Attributes()
	if err := Spawn(cmd); err != nil {
		return nil, fmt.Errorf("start %s: %w", spec.Name, err)
	}
	p := &Process{
		Record: Adopt(cmd.Process.Pid), done: make(chan struct{}), from: at,
	}
	p.Name, p.Address, p.Log = spec.Name, spec.Address, log.Name()
	go func() {
		p.exitErr = cmd.Wait()
		close(p.done)
	}()
	if err := p.Save(dir); err != nil {
		return nil, errors.Join(fmt.Errorf("record %s: %w", spec.Name, err), cmd.Process.Kill())
	}
	return p, nil
}

// Done returns a channel that is closed once the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Failure returns why an ended process ended, in one line of its output.
func (p *Process) Failure() error {
	reason := Reason(string(tail(p.Log, p.from)), p.exitErr)
	return fmt.Errorf("%s ended: %s (log: %s)", p.Name, reason, p.Log)
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

// spawner runs functions on one thread that exists as long as this process.
var spawner = sync.OnceValue(func() chan<- func() {
	calls := make(chan func())
	go func() {
		runtime.LockOSThread()
		for call := range calls {
			call()
		}
	}()
	return calls
})

// Spawn starts cmd from a thread that does not end before this process: for the kernel
// the parent of a tethered child is the thread that started it.
func Spawn(cmd *exec.Cmd) error {
	result := make(chan error)
	spawner() <- func() { result <- cmd.Start() }
	return <-result
}

// Spec describes a process to start.
type Spec struct {
	// Name is the process's name in the data folder, for its pid file and log.
	Name string
	// Path is the program, Args its arguments without the program's name.
	Path string
	Args []string
	// Env is the complete environment, Dir the working directory.
	Env []string
	Dir string
	// Address is the address that the process listens on, for status.
	Address string
	// Identity is the user to run as, or nil for the caller.
	Identity *Identity
	// Tethered kills the process when this process ends for any reason.
	Tethered bool
}

// Identity is a user other than the caller.
type Identity struct {
	UID, GID int
	// Namespace maps the caller to that user in a user namespace, so that files keep
	// their owner. Without it the process changes its user.
	Namespace bool
}

// Attributes returns the system attributes of the process.
func (s Spec) Attributes() *syscall.SysProcAttr {
	// It has its own session, so that a Ctrl-C does not reach it.
	attr := &syscall.SysProcAttr{Setsid: true}
	if s.Tethered {
		Tether(attr, syscall.SIGKILL)
	}
	switch id := s.Identity; {
	case id == nil:
	case id.Namespace:
		enterNamespace(attr, id)
	default:
		attr.Credential = &syscall.Credential{Uid: uint32(id.UID), Gid: uint32(id.GID)}
	}
	return attr
}
