// Package apikeys remembers the API keys that were looked up recently, so that flags can be evaluated while Postgres is
// unavailable.
package apikeys

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/models"
)

const (
	// askAgain is how long a remembered key is used before Postgres is asked for it again. A revocation is
	// notified; this bounds how late it takes effect when the notification is lost.
	askAgain = 15 * time.Second
	// memory is how long a key is used that Postgres cannot be asked for.
	memory = time.Hour
	// askTime is how long Postgres may take to return a key that is remembered.
	askTime = time.Second
	// maxKeys bounds how many keys are remembered, of half a kilobyte each: twice as many. Above it the least recently used keys
	// are forgotten.
	maxKeys = 10_000
)

// Source has the API keys: in Postgres, in package store.
type Source interface {
	// APIKeyByPrefix returns the key with the given public prefix, or not_found.
	APIKeyByPrefix(ctx context.Context, prefix string) (models.APIKey, error)
	// TouchAPIKey records when a key was last used.
	TouchAPIKey(ctx context.Context, id int64, at time.Time) error
	// Listen calls wake with the payload of every notification on channel, and with "" after each connect.
	Listen(ctx context.Context, channel string, wake func(payload string)) error
}

// Recent is a Source that remembers keys. It is safe for concurrent use.
type Recent struct {
	Source
	now func() time.Time

	mu sync.Mutex
	// byPrefix and byID have the same keys, because they are put and deleted together and never moved by Get.
	byPrefix *cache.Generations[string, *remembered]
	byID     *cache.Generations[int64, *remembered]
	heard    heard
}

// heard counts notifications: of revoked keys, and of times when notifications may have been missed.
type heard struct{ revoked, missed int }

// remembered is a key that exists and was usable when it was looked up.
type remembered struct {
	key models.APIKey
	// found is the time when the source returned the key, asked the time when the key was last requested.
	found, asked time.Time
}

// New returns a Recent that remembers nothing; Run keeps it true.
func New(source Source, now func() time.Time) *Recent {
	return &Recent{
		Source: source, now: now, byPrefix: cache.New[string, *remembered](maxKeys, 0), byID: cache.New[int64, *remembered](maxKeys, 0),
	}
}

// Run forgets the keys that are revoked until ctx ends.
func (r *Recent) Run(ctx context.Context) error {
	return r.Listen(ctx, models.NotifyAPIKeyRevoked, r.notify)
}

// notify forgets the key whose id is the payload, or doubts all keys when notifications may have been missed.
func (r *Recent) notify(payload string) {
	id, err := strconv.ParseInt(payload, 10, 64)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.heard.revoked++
		if k, ok := r.byID.Peek(id); ok {
			r.forget(k)
		}
		return
	}
	r.heard.missed++
	for _, k := range r.byID.All() {
		k.asked = time.Time{}
	}
}

// RecentAPIKey returns the key with the given public prefix as it was within the last 15 seconds or, while
// the source is unavailable, within the last hour. The error is not_found or unavailable.
func (r *Recent) RecentAPIKey(ctx context.Context, prefix string) (models.APIKey, error) {
	now := r.now()
	known, before, isFresh := r.recall(prefix, now)
	if isFresh {
		return known, nil
	}
	if known.ID != 0 {
		// A client that disconnects must not keep a revoked key in memory.
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), askTime)
		defer cancel()
	}
	key, err := r.APIKeyByPrefix(ctx, prefix)

	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err == nil && key.Usable(now):
		k := &remembered{key: key, found: now}
		if before.missed == r.heard.missed {
			k.asked = now
		}
		// If a key was revoked since the look-up began, it may be this key.
		if before.revoked == r.heard.revoked {
			r.remember(k)
		}
	case err == nil, models.CodeOf(err) == models.CodeNotFound:
		if k, ok := r.byPrefix.Peek(prefix); ok {
			r.forget(k)
		}
	case models.CodeOf(err) == models.CodeUnavailable:
		if k, ok := r.byPrefix.Peek(prefix); ok {
			return k.key, nil
		}
	}
	return key, err
}

// recall returns the remembered key, or the zero key, and the notifications counted so far. isFresh reports whether the source need
// not be asked. While one caller asks the source, the others use the remembered key.
func (r *Recent) recall(prefix string, now time.Time) (key models.APIKey, before heard, isFresh bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k, ok := r.byPrefix.Peek(prefix)
	if !ok {
		return key, r.heard, false
	}
	if now.Sub(k.found) >= memory {
		r.forget(k)
		return key, r.heard, false
	}
	if isFresh = now.Sub(k.asked) < askAgain; !isFresh {
		k.asked = now
	}
	return k.key, r.heard, isFresh
}

func (r *Recent) remember(k *remembered) {
	r.byPrefix.Put(k.key.Prefix, k)
	r.byID.Put(k.key.ID, k)
}

func (r *Recent) forget(k *remembered) {
	r.byPrefix.Delete(k.key.Prefix)
	r.byID.Delete(k.key.ID)
}

// TouchAPIKey records when a key was last used. It waits for the source for at most a second.
func (r *Recent) TouchAPIKey(ctx context.Context, id int64, at time.Time) error {
	r.mu.Lock()
	if k, ok := r.byID.Peek(id); ok {
		k.key.LastUsedAt = &at
	}
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	return r.Source.TouchAPIKey(ctx, id, at)
}
