package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// bornAt returns a value that no other process ever has together with this
// pid: the time the process started, in clock ticks since the machine booted.
// It is empty when the process is gone or only waits to be reaped.
func bornAt(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The command name stands in parentheses and may hold anything, so the
	// numbered fields are counted from its last closing one: field 3 is the
	// state, field 22 the start time.
	_, rest, ok := bytes.Cut(stat[max(bytes.LastIndexByte(stat, ')'), 0):], []byte(" "))
	if !ok {
		return ""
	}
	fields := bytes.Fields(rest)
	if len(fields) < 20 || bytes.ContainsAny(fields[0], "ZX") {
		return ""
	}
	return bootID() + "/" + string(fields[19])
}

// bootID tells one boot of the machine from another.
func bootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "boot"
	}
	return string(bytes.TrimSpace(id))
}

// WorkingIn lists the processes whose working directory is dir.
func WorkingIn(dir string) []int {
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		return nil
	}
	var pids []int
	for _, link := range links {
		target, err := os.Readlink(link)
		if err != nil || target != dir {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
