//go:build !linux

package process

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// Tether does nothing: only Linux has parent-death signals.
func Tether(*syscall.SysProcAttr, syscall.Signal) {}

// enterNamespace does nothing: only Linux has user namespaces.
func enterNamespace(*syscall.SysProcAttr, *Identity) {}

// bornAt returns the start time of the process, or "" when it has ended.
func bornAt(pid int) string {
	out, err := exec.Command("ps", "-o", "state=,lstart=", "-p", strconv.Itoa(pid)).Output()
	if err != nil || strings.HasPrefix(string(out), "Z") {
		return ""
	}
	_, started, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	return started
}

// WorkingIn returns nothing: this platform has no cheap way to list the processes whose
// working directory is dir.
func WorkingIn(string) []int { return nil }
