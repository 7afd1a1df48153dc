package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Record is what a data folder remembers of one of its processes.
type Record struct {
	Name    string `json:"name"`
	Pid     int    `json:"pid"`
	Born    string `json:"born"`
	Address string `json:"address"`
	Log     string `json:"log"`
}

// Alive says whether the recorded process still runs. A process that took
// over a dead one's number is not mistaken for it.
func (r Record) Alive() bool {
	return r.Pid > 0 && r.Born != "" && bornAt(r.Pid) == r.Born
}

// Adopt returns a record of a running process that nobody recorded.
func Adopt(pid int) Record { return Record{Pid: pid, Born: bornAt(pid)} }

// PidFile is the plain file with nothing but the process's number.
func PidFile(dir, name string) string { return filepath.Join(dir, name+".pid") }

func recordFile(dir, name string) string { return filepath.Join(dir, "run", name+".json") }

// Load returns the record of the named process; a zero Record, which is not
// alive, when there is none or it cannot be read.
func Load(dir, name string) Record {
	data, err := os.ReadFile(recordFile(dir, name))
	if err != nil {
		return Record{}
	}
	var r Record
	if json.Unmarshal(data, &r) != nil || r.Name != name {
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
	return WriteFile(PidFile(dir, r.Name), fmt.Appendln(nil, r.Pid), 0o644)
}

// Forget removes the record and the pid file.
func Forget(dir, name string) error {
	for _, path := range []string{PidFile(dir, name), recordFile(dir, name)} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// WriteFile replaces a file in one step, so that a reader never sees half of
// it and a full disk leaves the old one in place.
func WriteFile(path string, data []byte, mode fs.FileMode) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }()

	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Chmod(mode)
	}
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
