package auth

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/models"
)

const (
	// knownAccountsLife is how long the known accounts of a network are not read again.
	knownAccountsLife = 10 * time.Second
	// knownAccountsTracked bounds the networks whose accounts are in memory: twice as many.
	knownAccountsTracked = 10_000
)

// KnownNetworks finds the networks from which accounts have signed in.
type KnownNetworks interface {
	// KnownAccounts returns models.EmailKey of the accounts that have signed in from any of the networks.
	KnownAccounts(ctx context.Context, networks []models.NetworkHash) ([]string, error)
}

// knownAccounts knows which accounts have signed in from a network. It asks the store about a network at most once in
// knownAccountsLife, so that a flood of attempts costs few queries. It is safe for concurrent use.
type knownAccounts struct {
	store KnownNetworks
	now   func() time.Time

	mu     sync.Mutex
	recent *cache.Generations[netip.Addr, accountsRead]
}

// accountsRead are the accounts of a network as they were at a time.
type accountsRead struct {
	at   time.Time
	keys map[string]struct{}
}

func newKnownAccounts(store KnownNetworks, now func() time.Time) *knownAccounts {
	return &knownAccounts{store: store, now: now, recent: cache.New[netip.Addr, accountsRead](knownAccountsTracked, knownAccountsLife)}
}

// has reports whether the account with the key of an address has signed in from the network.
func (k *knownAccounts) has(ctx context.Context, emailKey string, from place) (bool, error) {
	now := k.now()
	k.mu.Lock()
	k.recent.Expire(now)
	read, ok := k.recent.Peek(from.network)
	k.mu.Unlock()
	if !ok || now.Sub(read.at) >= knownAccountsLife {
		keys, err := k.store.KnownAccounts(ctx, from.hashes)
		if err != nil {
			return false, err
		}
		read = accountsRead{now, make(map[string]struct{}, len(keys))}
		for _, key := range keys {
			read.keys[key] = struct{}{}
		}
		k.mu.Lock()
		k.recent.Put(from.network, read)
		k.mu.Unlock()
	}
	_, known := read.keys[emailKey]
	return known, nil
}

// changed has the accounts of the network read again, because one has signed in from there.
func (k *knownAccounts) changed(network netip.Addr) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.recent.Delete(network)
}
