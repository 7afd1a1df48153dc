package access

import (
	"sync"
	"time"

	"github.com/waft-ota/waft/internal/base/cache"
)

const (
	// wrongKeyMemory is how long a key or session that was refused is refused without a query. Neither becomes
	// valid again, so the time bounds only the memory.
	wrongKeyMemory = time.Minute
	// validKeyMemory is how long a valid key costs nothing of the limit of unknown keys. It is looked up all
	// the same, because it may have been revoked.
	validKeyMemory = 10 * time.Minute
	// maxRecentKeys bounds a set of keys: twice as many, of 100 bytes each. Above it the oldest are forgotten.
	maxRecentKeys = 20_000
)

// recentKeys is a set of keys, or of sessions' tokens, by their SHA-256, each for a time. It is safe for concurrent use.
type recentKeys struct {
	memory time.Duration
	now    func() time.Time

	mu    sync.Mutex
	added *cache.Generations[[32]byte, time.Time]
}

func newRecentKeys(memory time.Duration, now func() time.Time) *recentKeys {
	return &recentKeys{memory: memory, now: now, added: cache.New[[32]byte, time.Time](maxRecentKeys, memory)}
}

// add remembers the key from now on.
func (r *recentKeys) add(key [32]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	r.added.Expire(now)
	r.added.Put(key, now)
}

// has reports whether the key was added within the memory.
func (r *recentKeys) has(key [32]byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	added, ok := r.added.Peek(key)
	return ok && r.now().Sub(added) < r.memory
}
