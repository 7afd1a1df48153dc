package access

import (
	"sync"
	"time"

	"github.com/waft-ota/waft/internal/base/cache"
)

const (
	// wrongKeyMemory is the time for which a refused key or session is refused again without a query. Refused keys
	// and sessions never become valid, so the time only limits the memory.
	wrongKeyMemory = time.Minute
	// validKeyMemory is the time for which a valid key does not count against the limit of unknown keys. Each request
	// still looks it up, because it may have been revoked.
	validKeyMemory = 10 * time.Minute
	// maxRecentKeys limits a set of keys to twice this number, of 100 bytes each. Above it, the oldest keys are
	// forgotten.
	maxRecentKeys = 20_000
)

// recentKeys is a set of keys, or of sessions' tokens, by their SHA-256. Each key stays in it for a limited time. It
// is safe for concurrent use.
type recentKeys struct {
	memory time.Duration
	now    func() time.Time

	mu    sync.Mutex
	added *cache.Generations[[32]byte, time.Time]
}

func newRecentKeys(memory time.Duration, now func() time.Time) *recentKeys {
	return &recentKeys{memory: memory, now: now, added: cache.New[[32]byte, time.Time](maxRecentKeys, memory)}
}

// add adds the key.
func (r *recentKeys) add(key [32]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	r.added.Expire(now)
	r.added.Put(key, now)
}

// has reports whether the key was added within the memory's time.
func (r *recentKeys) has(key [32]byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	added, ok := r.added.Peek(key)
	return ok && r.now().Sub(added) < r.memory
}
