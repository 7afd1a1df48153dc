package bsdiff

import (
	"encoding/binary"
	"math/bits"
)

// index finds matches in a file.
type index struct {
	file   []byte
	sorted []int32
}

func newIndex(file []byte) index { return index{file, suffixArray(file)} }

// longestMatch returns the position and length of the longest prefix of text that occurs in the file. The length is 0
// if there is no match. Comparisons skip the bytes that both bounds of the search share with text (Manber and Myers,
// "Suffix arrays", 1990, section 2), so that they are fast in repetitive files.
func (x index) longestMatch(text []byte) (at, length int) {
	low, high := 0, len(x.sorted)-1
	if high < 0 || len(text) == 0 {
		return 0, 0
	}
	lowLength := x.shared(low, text, 0)
	highLength := x.shared(high, text, 0)
	for high-low > 1 {
		mid := low + (high-low)/2
		n := x.shared(mid, text, min(lowLength, highLength))
		end := int(x.sorted[mid]) + n
		switch {
		case n == len(text):
			return int(x.sorted[mid]), n
		case end < len(x.file) && x.file[end] > text[n]:
			high, highLength = mid, n
		default:
			low, lowLength = mid, n
		}
	}
	if lowLength > highLength {
		return int(x.sorted[low]), lowLength
	}
	return int(x.sorted[high]), highLength
}

// shared returns the length of the common prefix of text and the i-th suffix. The caller knows that it is at least
// known.
func (x index) shared(i int, text []byte, known int) int {
	return known + commonPrefix(x.file[int(x.sorted[i])+known:], text[known:])
}

func commonPrefix(a, b []byte) (n int) {
	limit := min(len(a), len(b))
	for ; n+8 <= limit; n += 8 {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
	}
	for n < limit && a[n] == b[n] {
		n++
	}
	return n
}
