package cache

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAValueIsFoundUntilItsKeyIsForgotten(t *testing.T) {
	t.Parallel()
	g := New[string, int](2, 0)
	_, ok := g.Get("a")
	require.False(t, ok)
	g.Put("a", 1)
	g.Put("b", 2)
	g.Put("a", 3)
	require.Equal(t, 2, g.Len(), "a known key begins no generation")
	g.Put("c", 4)
	require.Equal(t, map[string]int{"a": 3, "b": 2, "c": 4}, maps.Collect(g.All()))
	value, ok := g.Get("a")
	require.True(t, ok)
	require.Equal(t, 3, value)
	g.Put("d", 5)
	require.Equal(t, map[string]int{"a": 3, "c": 4, "d": 5}, maps.Collect(g.All()), "b was used least recently")
	g.Delete("a")
	g.Delete("d")
	require.Equal(t, map[string]int{"c": 4}, maps.Collect(g.All()))
	g.Clear()
	require.Zero(t, g.Len())
}

func TestPeekDoesNotKeepAKey(t *testing.T) {
	t.Parallel()
	g := New[string, int](1, 0)
	g.Put("a", 1)
	g.Put("b", 2)
	value, ok := g.Peek("a")
	require.True(t, ok)
	require.Equal(t, 1, value)
	g.Put("c", 3)
	_, ok = g.Peek("a")
	require.False(t, ok)
}

func TestAKeyAgesUnlessItIsUsed(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	g := New[string, int](10, time.Hour)
	g.Expire(now)
	g.Put("used", 1)
	g.Put("unused", 2)
	for _, want := range []map[string]int{{"used": 1, "unused": 2}, {"used": 1}, {"used": 1}} {
		now = now.Add(time.Hour)
		g.Expire(now) // it is not older than its life yet
		now = now.Add(1)
		g.Expire(now)
		require.Equal(t, want, maps.Collect(g.All()))
		_, ok := g.Get("used")
		require.True(t, ok)
	}
	now = now.Add(time.Hour + 1)
	g.Expire(now)
	now = now.Add(time.Hour + 1)
	g.Expire(now)
	require.Empty(t, maps.Collect(g.All()))
}

// TestTheNewestKeysAreKept compares with a list of keys in the order of their use.
func TestTheNewestKeysAreKept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 5).Draw(t, "most")
		g := New[int, int](most, 0)
		var used []int // most recently last
		values := map[int]int{}
		use := func(key int) { used = append(slices.DeleteFunc(used, func(k int) bool { return k == key }), key) }
		for n := range rapid.IntRange(0, 60).Draw(t, "calls") {
			key := rapid.IntRange(0, 12).Draw(t, "key")
			switch rapid.IntRange(0, 3).Draw(t, "call") {
			case 0, 1:
				g.Put(key, n)
				values[key] = n
				use(key)
			case 2:
				if value, ok := g.Get(key); ok {
					require.Equal(t, values[key], value)
					use(key)
				}
			case 3:
				g.Delete(key)
				delete(values, key)
			}
			require.LessOrEqual(t, g.Len(), 2*most)
			all := maps.Collect(g.All())
			for key, value := range all {
				require.Contains(t, values, key)
				require.Equal(t, values[key], value)
			}
			for _, key := range used[max(0, len(used)-most):] {
				if _, exists := values[key]; exists {
					require.Contains(t, all, key, "a generation's worth of the newest keys is kept")
				}
			}
		}
	})
}

func TestUseAllocatesNothing(t *testing.T) {
	g := New[uint64, struct{}](10, time.Hour)
	g.Put(1, struct{}{})
	require.Zero(t, testing.AllocsPerRun(100, func() {
		g.Get(1)
		g.Peek(2)
		g.Put(1, struct{}{})
	}))
}
