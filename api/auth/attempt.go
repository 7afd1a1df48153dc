package auth

import "time"

// attempt is an admitted attempt to sign in. It counts as a failure unless succeeded or withdrawn is called.
type attempt struct {
	// known reports whether the account has signed in from the network before.
	known bool
	// repeated reports whether the account has had more failures than are free, if this attempt fails.
	repeated bool

	guard   *loginGuard
	at      time.Time
	counted []subject
}

// succeeded removes the attempt and all failures of the account in the network. It keeps the other failures of the
// network and of the account, because other people may have caused them.
func (a *attempt) succeeded() {
	a.withdrawn()
	a.guard.mu.Lock()
	defer a.guard.mu.Unlock()
	for _, s := range a.counted {
		if s.kind == ofPair {
			a.guard.failed.Delete(s)
		}
	}
}

// withdrawn removes the attempt, because it did not test a password.
func (a *attempt) withdrawn() {
	a.guard.mu.Lock()
	defer a.guard.mu.Unlock()
	for _, s := range a.counted {
		if f := a.guard.peek(s); f != nil {
			f.remove(a.at)
		}
	}
}
