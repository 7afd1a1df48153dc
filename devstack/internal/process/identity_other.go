//go:build !linux

package process

import (
	"os/exec"
	"strconv"
	"strings"
)

// bornAt returns the time the process started, empty when it is gone.
func bornAt(pid int) string {
	out, err := exec.Command("ps", "-o", "lstart=,state=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	fields := strings.Fields(string(out))
	if len(fields) < 2 || strings.HasPrefix(fields[len(fields)-1], "Z") {
		return ""
	}
	return strings.Join(fields[:len(fields)-1], " ")
}

// WorkingIn lists the processes whose working directory is dir; this platform
// has no cheap way to ask.
func WorkingIn(string) []int { return nil }
