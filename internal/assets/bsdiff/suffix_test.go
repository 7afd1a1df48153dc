package bsdiff

import (
	"bytes"
	"index/suffixarray"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func sortedByComparing(text []byte) []int32 {
	sa := make([]int32, len(text))
	for i := range sa {
		sa[i] = int32(i)
	}
	slices.SortFunc(sa, func(a, b int32) int { return bytes.Compare(text[a:], text[b:]) })
	return sa
}

func TestSuffixArray(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "a", "aa", "ab", "ba", "banana", "mississippi", "aaaaaaaaaaaaaaaa", "abababababab", "cabbage",
		"zyxwvutsrqponm", "abcabcabcabcabcab\x00\xff\x00\xff", "ababcababcababc",
	} {
		require.Equal(t, sortedByComparing([]byte(text)), suffixArray([]byte(text)), "%q", text)
	}
}

func TestSuffixArrayOfAnyText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		alphabet := rapid.IntRange(1, 256).Draw(t, "alphabet")
		text := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) byte {
			return byte(rapid.IntRange(0, alphabet-1).Draw(t, "value"))
		}), 0, 200).Draw(t, "text")
		text = bytes.Repeat(text, rapid.IntRange(1, 4).Draw(t, "times"))
		require.Equal(t, sortedByComparing(text), suffixArray(text))
	})
}

// The text is long enough for several levels of recursion.
func TestSuffixArrayOfALongText(t *testing.T) {
	t.Parallel()
	a, b := []byte("a"), []byte("ab")
	for len(b) < 1<<16 { // Fibonacci words are as repetitive as a string can be
		a, b = b, append(slices.Clone(b), a...)
	}
	for _, text := range [][]byte{b, noise(1, 1<<16), bytes.Repeat(noise(2, 1000), 100)} {
		sa := suffixArray(text)
		// The standard library has its own suffix array, which only supports look-ups.
		index := suffixarray.New(text)
		for i := 0; i < len(sa); i += 997 {
			require.ElementsMatch(t, index.Lookup(text[sa[i]:min(len(text), int(sa[i])+40)], -1), neighbours(text, sa, i, 40))
		}
		for i := 1; i < len(sa); i++ {
			require.Negative(t, bytes.Compare(text[sa[i-1]:], text[sa[i]:]))
		}
	}
}

// neighbours returns the suffixes that begin like the i-th suffix of sa.
func neighbours(text []byte, sa []int32, i, length int) []int {
	prefix := clip(text[sa[i]:], length)
	from, to := i, i
	for from > 0 && bytes.HasPrefix(text[sa[from-1]:], prefix) {
		from--
	}
	for to+1 < len(sa) && bytes.HasPrefix(text[sa[to+1]:], prefix) {
		to++
	}
	found := make([]int, 0, to-from+1)
	for _, suffix := range sa[from : to+1] {
		found = append(found, int(suffix))
	}
	return found
}

func clip(text []byte, length int) []byte { return text[:min(len(text), length)] }
