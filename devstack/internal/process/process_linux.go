package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Tether makes the kernel send the process a signal when its parent ends.
func Tether(attr *syscall.SysProcAttr, signal syscall.Signal) { attr.Pdeathsig = signal }

// enterNamespace starts the process in a user namespace in which the caller has another
// name. For files and the kernel it is still the caller.
func enterNamespace(attr *syscall.SysProcAttr, id *Identity) {
	attr.Cloneflags |= syscall.CLONE_NEWUSER
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: id.UID, HostID: os.Getuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: id.GID, HostID: os.Getgid(), Size: 1}}
}

// bornAt returns the boot of the machine and the start time of the process in clock ticks
// after it. With the pid they identify the process. It returns "" when the process has
// ended, even if it is still a zombie.
func bornAt(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// Field 2, the command name, is in parentheses and may contain anything, so fields
	// are counted from its closing one: field 3 is the state, field 22 the start time.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 || bytes.ContainsAny(fields[0], "ZX") {
		return ""
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // without it the ticks must do
	return string(bytes.TrimSpace(boot)) + "/" + string(fields[19])
}

// WorkingIn lists the processes whose working directory is dir.
func WorkingIn(dir string) []int {
	links, _ := filepath.Glob("/proc/[0-9]*/cwd") // the pattern is valid
	var pids []int
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && target == dir {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link))); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
