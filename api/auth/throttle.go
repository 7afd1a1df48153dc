package auth

import (
	"hash/maphash"
	"math"
	"net/netip"
	"sync"
	"time"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/models"
)

// Failed logins make the next attempt wait: of the account, wherever it comes from, and of the network,
// whatever account it is for.
const (
	failureWindow = 15 * time.Minute
	// freeFailures are without a delay; the next one has the first delay, and each after it twice as much.
	freeFailures = 5
	firstDelay   = 5 * time.Second
	maxDelay     = time.Minute
)

// subject is an account, a network, or an account in a network.
type subject struct {
	account uint64 // a hash of its address, so that the length of that costs no memory
	network netip.Addr
}

// loginGuard delays logins after failures. What it knows is of one process and bounded.
type loginGuard struct {
	now  func() time.Time
	seed maphash.Seed

	mu     sync.Mutex
	failed *cache.Generations[subject, *failures]
	// known are accounts in networks that they have logged in from.
	known *cache.Generations[subject, struct{}]
}

// failures are the times of failed attempts, oldest first.
type failures struct{ at []time.Time }

func newLoginGuard(now func() time.Time) *loginGuard {
	return &loginGuard{
		now: now, seed: maphash.MakeSeed(),
		failed: cache.New[subject, *failures](limit.RateTracked, failureWindow), known: cache.New[subject, struct{}](limit.RateTracked, 0),
	}
}

// begin admits an attempt to log in to the account with the address, or is rate_limited. Until ended is
// called the attempt counts as a failure, so that attempts at the same time count too.
func (g *loginGuard) begin(email string, from netip.Addr) (ended func(ok bool), err error) {
	account := maphash.String(g.seed, models.EmailKey(email))
	now := g.now()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failed.Expire(now)
	byAccount, byNetwork := g.of(subject{account: account}), g.of(subject{network: from})
	wait := byNetwork.wait(now)
	// Others' failures do not keep a person out who has logged in from here before.
	if _, known := g.known.Peek(subject{account, from}); !known {
		wait = max(wait, byAccount.wait(now))
	}
	if wait > 0 {
		return nil, errTooManyFailures(wait)
	}
	byAccount.at, byNetwork.at = append(byAccount.at, now), append(byNetwork.at, now)
	return func(ok bool) {
		if !ok {
			return
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		byAccount.at = nil
		byNetwork.forget(now)
		g.known.Put(subject{account, from}, struct{}{})
	}, nil
}

// beginFrom is begin for an attempt with a passkey, which names no account.
func (g *loginGuard) beginFrom(network netip.Addr) (ended func(ok bool), err error) {
	now := g.now()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failed.Expire(now)
	failed := g.of(subject{network: network})
	if wait := failed.wait(now); wait > 0 {
		return nil, errTooManyFailures(wait)
	}
	failed.at = append(failed.at, now)
	return func(ok bool) {
		if !ok {
			return
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		failed.forget(now)
	}, nil
}

// met says that the account with the address has logged in from the network.
func (g *loginGuard) met(email string, network netip.Addr) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.known.Put(subject{maphash.String(g.seed, models.EmailKey(email)), network}, struct{}{})
}

func errTooManyFailures(wait time.Duration) error {
	return &models.Error{
		Code: models.CodeRateLimited, Message: "too many failed logins; wait before the next one",
		RetryAfter: time.Duration(math.Ceil(wait.Seconds())) * time.Second,
	}
}

func (g *loginGuard) of(s subject) *failures {
	own, ok := g.failed.Get(s)
	if !ok {
		own = &failures{}
		g.failed.Put(s, own)
	}
	return own
}

// wait returns how long the next attempt must wait.
func (f *failures) wait(now time.Time) time.Duration {
	for len(f.at) > 0 && now.Sub(f.at[0]) >= failureWindow {
		f.at = f.at[1:]
	}
	above := len(f.at) - freeFailures
	if above <= 0 {
		return 0
	}
	delay := min(maxDelay, firstDelay<<min(above-1, 10))
	return f.at[len(f.at)-1].Add(delay).Sub(now)
}

// forget removes one failure of the given time.
func (f *failures) forget(at time.Time) {
	for i, t := range f.at {
		if t.Equal(at) {
			f.at = append(f.at[:i:i], f.at[i+1:]...)
			return
		}
	}
}
