package auth

import (
	"context"
	"hash/maphash"
	"math"
	"net/netip"
	"sync"
	"time"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/models"
)

// firstAgain is the time after which an attempt of an account counts as the first from a network again. It applies to
// networks in which the account has never signed in.
const firstAgain = time.Hour

// loginGuard delays attempts to sign in after failures; see docs/adr/0048. It counts failures per account and
// network. A network has a higher limit over all accounts, and an account has one over all networks. Neither delays
// an account in a network from which it has signed in. The account's limit does not delay the first attempt from a
// network either. The counts are in the bounded memory of one process.
type loginGuard struct {
	now   func() time.Time
	seed  maphash.Seed
	known *knownAccounts
	// refusals holds the refusal for each kind of subject.
	refusals [kinds]limit.Refusal

	mu     sync.Mutex
	failed *cache.Generations[subject, *failures]
}

// place is the origin of an attempt: the network, and its hashes under each key.
type place struct {
	network netip.Addr
	hashes  []models.NetworkHash
}

// placeOf returns the place of the client of a request.
func placeOf(ctx context.Context) place {
	b := access.BrowserOf(rest.CallOf(ctx))
	return place{b.From.Network, b.Networks}
}

// newLoginGuard returns a guard whose attempts have the given name in metrics and the log. detail tells people why
// they wait. It is the same for each kind of subject, because a reason would help to guess accounts.
func newLoginGuard(name, detail string, limits *limit.Set, networks KnownNetworks, now func() time.Time) *loginGuard {
	g := &loginGuard{
		now: now, seed: maphash.MakeSeed(), known: newKnownAccounts(networks, now),
		failed: cache.New[subject, *failures](limit.RateTracked, firstAgain),
	}
	for k := range kinds {
		g.refusals[k] = limits.Refusal(name+"_"+k.String(), detail)
	}
	return g
}

// begin admits an attempt to sign in to the account with the address, or returns a rate_limited error. The attempt
// counts as a failure until it ends, so that simultaneous attempts also count.
func (g *loginGuard) begin(ctx context.Context, email string, from place) (*attempt, error) {
	known, err := g.known.has(ctx, models.EmailKey(email), from)
	if err != nil {
		return nil, err
	}
	return g.beginAs(known, email, from.network)
}

// beginUnknown admits an attempt like begin, but does not look up whether the address has an account.
func (g *loginGuard) beginUnknown(email string, from netip.Addr) (*attempt, error) {
	return g.beginAs(false, email, from)
}

func (g *loginGuard) beginAs(known bool, email string, from netip.Addr) (*attempt, error) {
	account := maphash.String(g.seed, models.EmailKey(email))
	pair, network := subject{ofPair, account, from}, subject{kind: ofNetwork, network: from}
	if known {
		return g.admit(known, from, []subject{pair, network}, func(time.Time) []subject { return []subject{pair} })
	}
	everywhere := subject{kind: ofAccount, account: account}
	return g.admit(known, from, []subject{pair, network, everywhere}, func(now time.Time) []subject {
		limiting := []subject{pair, network, answersOf(from)}
		if g.peek(pair).any(now.Add(-firstAgain)) {
			limiting = append(limiting, everywhere)
		}
		return limiting
	})
}

// beginAnswer admits an attempt with a passkey or an identity provider, which do not name an account, or returns a
// rate_limited error.
func (g *loginGuard) beginAnswer(network netip.Addr) (*attempt, error) {
	counted := []subject{answersOf(network)}
	return g.admit(false, network, counted, func(time.Time) []subject { return counted })
}

// admit counts an attempt from a network for the subjects in counted, unless one of the subjects that limiting
// returns must wait.
func (g *loginGuard) admit(known bool, from netip.Addr, counted []subject, limiting func(now time.Time) []subject) (*attempt, error) {
	now := g.now()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failed.Expire(now)
	var wait time.Duration
	var above kind
	for _, s := range limiting(now) {
		if longer := g.peek(s).wait(s.kind.free(), now); longer > wait {
			wait, above = longer, s.kind
		}
	}
	if wait > 0 {
		return nil, g.refusals[above](from, time.Duration(math.Ceil(wait.Seconds()))*time.Second)
	}
	admitted := &attempt{known: known, guard: g, at: now, counted: counted}
	for _, s := range counted {
		own, ok := g.failed.Get(s)
		if !ok {
			own = &failures{}
			g.failed.Put(s, own)
		}
		own.add(s.kind.free(), now)
		ofOneAccount := s.kind == ofPair || s.kind == ofAccount
		admitted.repeated = admitted.repeated || ofOneAccount && own.above(s.kind.free(), now) > 0
	}
	return admitted, nil
}

// peek returns the failures of a subject, or nil. The caller holds the lock.
func (g *loginGuard) peek(s subject) *failures {
	f, _ := g.failed.Peek(s)
	return f
}
