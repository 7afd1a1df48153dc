package process

import (
	"syscall"
	"time"
)

// pollInterval is how often a process that is not a child is checked.
const pollInterval = 10 * time.Millisecond

// Stop sends the signal and, when the process has not ended after grace,
// kills it with its whole group. It returns once the process is gone.
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
	// The kernel may still finish the input and output of a killed process.
	r.gone(10 * time.Second)
}

// gone waits until the process has ended, at most for the given time.
func (r Record) gone(within time.Duration) bool {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for deadline := time.Now().Add(within); r.Alive(); {
		if time.Now().After(deadline) {
			return false
		}
		<-tick.C
	}
	return true
}
