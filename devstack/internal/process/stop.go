package process

import (
	"syscall"
	"time"
)

// pollEvery is how often a process that is no child of ours is looked at.
const pollEvery = 10 * time.Millisecond

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
	// A killed process only stays while the kernel finishes its input and
	// output; there is nothing more to do to it after this.
	r.gone(10 * time.Second)
}

// gone waits until the process has ended, at most for the given time.
func (r Record) gone(within time.Duration) bool {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for deadline := time.Now().Add(within); r.Alive(); {
		if time.Now().After(deadline) {
			return false
		}
		<-tick.C
	}
	return true
}
