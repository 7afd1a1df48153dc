// Package cache keeps what was used recently, in bounded memory.
package cache

import (
	"iter"
	"time"
)

// Generations is a map that forgets the keys that were used least recently. It has two generations: keys are put into the current one,
// and when that is full or old, it becomes the previous one, whose keys are forgotten unless they were used again. So the most recently
// used keys, up to the size of one generation, are always present. An entry takes only the memory of its map entry; see docs/adr/0037.
//
// It is not safe for concurrent use: its owner has a lock, which can cover several calls.
type Generations[K comparable, V any] struct {
	most int
	life time.Duration

	current, previous map[K]V
	began             time.Time
}

// New returns an empty Generations. Each of its two generations has at most most keys. Expire ends those older than life, unless that
// is 0.
func New[K comparable, V any](most int, life time.Duration) *Generations[K, V] {
	return &Generations[K, V]{most: most, life: life, current: map[K]V{}}
}

// Expire begins a generation if the current one is older than its life. A key is forgotten at the latest when it was not put, and not
// found by Get, for two lives in which Expire was called.
func (g *Generations[K, V]) Expire(now time.Time) {
	if g.life > 0 && now.Sub(g.began) > g.life {
		g.turn()
		g.began = now
	}
}

func (g *Generations[K, V]) turn() { g.current, g.previous = map[K]V{}, g.current }

// Peek returns the value of a key without using the key.
func (g *Generations[K, V]) Peek(key K) (value V, ok bool) {
	if value, ok = g.current[key]; !ok {
		value, ok = g.previous[key]
	}
	return value, ok
}

// Get returns the value of a key, and uses the key: it moves to the current generation.
func (g *Generations[K, V]) Get(key K) (value V, ok bool) {
	if value, ok = g.current[key]; ok {
		return value, true
	}
	if value, ok = g.previous[key]; ok {
		g.Put(key, value)
	}
	return value, ok
}

// Put sets the value of a key, and uses the key.
func (g *Generations[K, V]) Put(key K, value V) {
	if len(g.current) >= g.most {
		if _, known := g.current[key]; !known {
			g.turn()
		}
	}
	g.current[key] = value
}

// Delete forgets a key.
func (g *Generations[K, V]) Delete(key K) {
	delete(g.current, key)
	delete(g.previous, key)
}

// Clear forgets all keys.
func (g *Generations[K, V]) Clear() { g.current, g.previous = map[K]V{}, nil }

// Len returns how many entries there are. It counts a key twice that is in both generations.
func (g *Generations[K, V]) Len() int { return len(g.current) + len(g.previous) }

// All yields each key with its value, the keys of the previous generation first. The caller may delete keys during the iteration.
func (g *Generations[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for key, value := range g.previous {
			if _, newer := g.current[key]; !newer && !yield(key, value) {
				return
			}
		}
		for key, value := range g.current {
			if !yield(key, value) {
				return
			}
		}
	}
}
