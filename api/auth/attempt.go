package auth

import "time"

// attempt is an admitted attempt to sign in. It counts as a failure unless succeeded or withdrawn is called.
type attempt struct {
	// known says that the account has signed in from the network before.
	known bool
	// repeated says that, if this attempt fails, the account has had more failures than are free.
	repeated bool

	guard   *loginGuard
	at      time.Time
	counted []subject
}

// succeeded forgets the attempt, and all failures of the account in the network. Other people may have failed in the network or at
// the account, so those failures stay.
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

// withdrawn forgets the attempt, because nothing was guessed.
func (a *attempt) withdrawn() {
	a.guard.mu.Lock()
	defer a.guard.mu.Unlock()
	for _, s := range a.counted {
		if f := a.guard.peek(s); f != nil {
			f.remove(a.at)
		}
	}
}
