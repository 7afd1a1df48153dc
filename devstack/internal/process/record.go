package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Record is the record of a process in its data folder.
type Record struct {
	Name    string `json:"name"`
	Pid     int    `json:"pid"`
	Born    string `json:"born"`
	Address string `json:"address"`
	Log     string `json:"log"`
}

// Alive reports whether the recorded process still runs. Another process with the same
// pid does not count.
func (r Record) Alive() bool {
	return r.Pid > 0 && r.Born != "" && bornAt(r.Pid) == r.Born
}

// Adopt returns a record of a running process.
func Adopt(pid int) Record { return Record{Pid: pid, Born: bornAt(pid)} }

func pidFile(dir, name string) string { return filepath.Join(dir, name+".pid") }

func recordFile(dir, name string) string { return filepath.Join(dir, "run", name+".json") }

// Load returns the record of the named process, or a zero Record if it does not exist.
func Load(dir, name string) Record {
	var r Record
	data, err := os.ReadFile(recordFile(dir, name))
	if err != nil || json.Unmarshal(data, &r) != nil {
		return Record{}
	}
	return r
}

// Save writes the record and the pid file.
func (r Record) Save(dir string) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "run"), 0o755); err != nil {
		return err
	}
	if err := WriteFile(recordFile(dir, r.Name), data, 0o644); err != nil {
		return err
	}
	return WriteFile(pidFile(dir, r.Name), fmt.Appendln(nil, r.Pid), 0o644)
}

// Forget removes the record and the pid file.
func Forget(dir, name string) error {
	for _, path := range []string{pidFile(dir, name), recordFile(dir, name)} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Stop sends the signal, and kills the process with its group when it has not ended after
// grace. It returns after the end of the process.
func (r Record) Stop(signal syscall.Signal, grace time.Duration) {
	if !r.Alive() {
		return
	}
	_ = syscall.Kill(r.Pid, signal)
	if r.gone(grace) {
		return
	}
	_ = syscall.Kill(-r.Pid, syscall.SIGKILL)
	_ = syscall.Kill(r.Pid, syscall.SIGKILL)
	// The kernel may first finish input and output of the process.
	r.gone(10 * time.Second)
}

func (r Record) gone(within time.Duration) bool {
	tick := time.NewTicker(10 * time.Millisecond) // it may not be a child, so it is polled
	defer tick.Stop()
	for deadline := time.Now().Add(within); r.Alive(); {
		if time.Now().After(deadline) {
			return false
		}
		<-tick.C
	}
	return true
}

// WriteFile replaces a file atomically.
func WriteFile(path string, data []byte, mode fs.FileMode) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	_, err = tmp.Write(data)
	if err := errors.Join(err, tmp.Chmod(mode), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
