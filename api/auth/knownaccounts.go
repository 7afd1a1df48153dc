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
	// knownAccountsLife is the time for which the known accounts of a network are cached.
	knownAccountsLife = 10 * time.Second
	// knownAccountsTracked limits the networks whose accounts are in memory to twice this number.
	knownAccountsTracked = 10_000
)

// KnownNetworks finds the networks from which accounts have signed in.
type KnownNetworks interface {
	// KnownAccounts returns models.EmailKey of each account that has signed in from any of the networks.
	KnownAccounts(ctx context.Context, networks []models.NetworkHash) ([]string, error)
}

// knownAccounts caches the accounts that have signed in from a network. It queries the store for a network at most
// once in knownAccountsLife, so that a flood of attempts causes few queries. It is safe for concurrent use.
type knownAccounts struct {
	store KnownNetworks
	now   func() time.Time

	mu     sync.Mutex
	recent *cache.Generations[netip.Addr, accountsRead]
}

// accountsRead holds the accounts of a network at the time of a read.
type accountsRead struct {
	at   time.Time
	keys map[string]struct{}
}

func newKnownAccounts(store KnownNetworks, now func() time.Time) *knownAccounts {
	return &knownAccounts{store: store, now: now, recent: cache.New[netip.Addr, accountsRead](knownAccountsTracked, knownAccountsLife)}
}

// has reports whether the account of the address has signed in from the network.
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

// changed removes the network from the cache after an account has signed in from there.
func (k *knownAccounts) changed(network netip.Addr) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.recent.Delete(network)
}
