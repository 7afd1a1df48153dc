// Package bsdiff makes and applies binary patches in the format of bsdiff 4, "BSDIFF40", which
// expo-updates applies to launch assets. It does no I/O.
//
// A patch is a header of 32 bytes and three bzip2 streams. Integers have 8 bytes in little-endian order; the
// top bit of the last byte is the sign.
//
//	 0  "BSDIFF40"
//	 8  length of the packed control block
//	16  length of the packed difference block
//	24  size of the new file
//	32  control, differences, extra: each one bzip2 stream
//
// Control consists of triples (add, copy, move). A triple means: add that many bytes of the difference block to bytes
// of the old file, copy that many bytes of the extra block, and move that far in the old file.
//
// The method is Colin Percival's ("Naive Differences of Executable Code", 2003). It matches stretches of the
// new file with nearly equal stretches of the old file, so that moved code with changed addresses gives
// differences that are mostly zero. The suffix array is built by induced sorting
// (Nong, Zhang and Chan, "Two Efficient Algorithms for Linear Time Suffix Array Construction", 2009).
package bsdiff

import (
	"encoding/binary"
	"fmt"
)

const (
	magic      = "BSDIFF40"
	headerSize = 32
	intSize    = 8
	// tripleSize is the size of one entry of the control block.
	tripleSize = 3 * intSize
)

// header contains the lengths of the parts of a patch, in bytes.
type header struct{ control, differences, newSize int64 }

func (h header) append(patch []byte) []byte {
	patch = append(patch, magic...)
	for _, n := range []int64{h.control, h.differences, h.newSize} {
		patch = appendInt(patch, n)
	}
	return patch
}

// parseHeader returns the header of a patch and checks that the patch contains all its parts.
func parseHeader(patch []byte) (header, error) {
	if len(patch) < headerSize || string(patch[:len(magic)]) != magic {
		return header{}, corrupt("it does not begin with the header of a %s file", magic)
	}
	h := header{readInt(patch[8:]), readInt(patch[16:]), readInt(patch[24:])}
	rest := int64(len(patch) - headerSize)
	if h.control < 0 || h.differences < 0 || h.newSize < 0 || h.control > rest || h.differences > rest-h.control {
		return header{}, corrupt("its header has the lengths %d, %d and %d", h.control, h.differences, h.newSize)
	}
	return h, nil
}

const signBit = 1 << 63

func appendInt(b []byte, n int64) []byte {
	if n < 0 {
		return binary.LittleEndian.AppendUint64(b, uint64(-n)|signBit)
	}
	return binary.LittleEndian.AppendUint64(b, uint64(n))
}

func readInt(b []byte) int64 {
	u := binary.LittleEndian.Uint64(b)
	n := int64(u &^ signBit)
	if u&signBit != 0 {
		return -n
	}
	return n
}

// corrupt returns an errCorrupt with a reason.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errCorrupt, fmt.Sprintf(format, args...))
}
