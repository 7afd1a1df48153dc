package gather

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func join(earlier, later string) string { return earlier + later }

func TestValuesOfAKeyAreMerged(t *testing.T) {
	t.Parallel()
	m := New[int](0, join)
	m.Add(1, "a")
	m.Add(2, "x")
	m.Add(1, "b")
	require.Equal(t, map[int]string{1: "ab", 2: "x"}, m.Take())
	require.Empty(t, m.Take())

	newest := New[int](0, Newest[string])
	newest.Add(1, "a")
	newest.Add(1, "b")
	require.Equal(t, map[int]string{1: "b"}, newest.Take())
}

func TestAFullMapDropsNewKeys(t *testing.T) {
	t.Parallel()
	m := New[int](2, join)
	m.Add(1, "a")
	m.Add(2, "b")
	m.Add(3, "c")
	m.Add(1, "d")
	m.GiveBack(map[int]string{2: "0", 4: "0"})
	require.Equal(t, map[int]string{1: "ad", 2: "0b"}, m.Take())
}

func TestFlushGivesBackWhatWasNotWritten(t *testing.T) {
	t.Parallel()
	m := New[int](0, join)
	require.NoError(t, m.Flush(func(map[int]string) error {
		require.Fail(t, "there is nothing to write")
		return nil
	}))
	m.Add(1, "a")
	m.Add(2, "b")
	failed := errors.New("half")
	require.ErrorIs(t, m.Flush(func(taken map[int]string) error {
		require.Equal(t, map[int]string{1: "a", 2: "b"}, taken)
		m.Add(2, "c")
		delete(taken, 1)
		return failed
	}), failed)
	require.NoError(t, m.Flush(func(taken map[int]string) error {
		require.Equal(t, map[int]string{2: "bc"}, taken, "what failed is earlier than what came meanwhile")
		return nil
	}))
	require.Empty(t, m.Take())
}

func TestNothingIsLostBetweenGoroutines(t *testing.T) {
	t.Parallel()
	m := New[int](0, func(earlier, later int) int { return earlier + later })
	var adding sync.WaitGroup
	for range 8 {
		adding.Go(func() {
			for n := range 1000 {
				m.Add(n%10, 1)
			}
		})
	}
	sum, failing := 0, true
	flush := func() {
		_ = m.Flush(func(taken map[int]int) error {
			if failing = !failing; failing {
				return errors.New("later")
			}
			for _, n := range taken {
				sum += n
			}
			return nil
		})
	}
	for range 100 {
		flush()
	}
	adding.Wait()
	flush()
	flush()
	require.Equal(t, 8000, sum)
}
