// Package gather collects values by key until they are written together.
package gather

import "sync"

// Map collects values by key. It is safe for concurrent use.
type Map[K comparable, V any] struct {
	bound int
	merge func(earlier, later V) V

	mu      sync.Mutex
	waiting map[K]V
}

// New returns an empty Map of at most bound keys, or of any number if bound is 0. merge combines two values of a key, such as Newest.
func New[K comparable, V any](bound int, merge func(earlier, later V) V) *Map[K, V] {
	return &Map[K, V]{bound: bound, merge: merge, waiting: map[K]V{}}
}

// Newest returns the later value. It is a merge function for Map.
func Newest[V any](_, later V) V { return later }

// Add adds a value. It drops the value if its key is new and the Map is full.
func (m *Map[K, V]) Add(key K, value V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if earlier, known := m.waiting[key]; known {
		value = m.merge(earlier, value)
	}
	m.put(key, value)
}

// Take removes and returns all values. The caller owns the returned map.
func (m *Map[K, V]) Take() map[K]V {
	m.mu.Lock()
	defer m.mu.Unlock()
	taken := m.waiting
	m.waiting = map[K]V{}
	return taken
}

// GiveBack adds values that Take returned and that could not be written. They are earlier than what was added since.
func (m *Map[K, V]) GiveBack(taken map[K]V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, value := range taken {
		if later, known := m.waiting[key]; known {
			value = m.merge(value, later)
		}
		m.put(key, value)
	}
}

// Flush takes all values and calls write, unless the map is empty. If write fails, Flush gives back the values that write has not deleted
// from taken, and returns the error.
func (m *Map[K, V]) Flush(write func(taken map[K]V) error) error {
	taken := m.Take()
	if len(taken) == 0 {
		return nil
	}
	err := write(taken)
	if err != nil {
		m.GiveBack(taken)
	}
	return err
}

// put sets a value if there is room. The caller holds the lock.
func (m *Map[K, V]) put(key K, value V) {
	if _, known := m.waiting[key]; known || m.bound == 0 || len(m.waiting) < m.bound {
		m.waiting[key] = value
	}
}
