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

// header says how long the parts of a patch are, in bytes.
type header struct{ control, differences, newSize int64 }

func (h header) append(patch []byte) []byte {
	patch = append(patch, magic...)
	for _, n := range []int64{h.control, h.differences, h.newSize} {
		patch = appendInt(patch, n)
	}
	return patch
}

// parseHeader reads the header of a patch and checks that its parts lie inside.
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

// corrupt is an ErrCorrupt that says why.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}
