package bsdiff

import (
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"io"
	"math"
)

// errCorrupt is the error of Apply for a patch that is invalid or belongs to another file.
var errCorrupt = errors.New("bsdiff: the patch is corrupt")

// idleSteps is the maximum number of steps that leave the new file as it is, beyond one for each step that extends it.
// A malicious patch may have billions of such steps.
const idleSteps = 1 << 10

// Apply returns the new file that a patch makes from oldFile, as the client does. For any patch it needs little more
// than maxBytes of memory, and it stops when ctx ends. It returns errCorrupt if the new file would be larger than
// maxBytes.
func Apply(ctx context.Context, oldFile, patch []byte, maxBytes int64) ([]byte, error) {
	h, err := parseHeader(patch)
	if err != nil {
		return nil, err
	}
	if h.newSize > maxBytes {
		return nil, corrupt("it makes a file of %d bytes, but the limit is %d", h.newSize, maxBytes)
	}
	body := patch[headerSize:]
	a := applier{
		oldFile: oldFile, newFile: make([]byte, 0, h.newSize), size: h.newSize,
		control:     bzip2.NewReader(bytes.NewReader(body[:h.control])),
		differences: bzip2.NewReader(bytes.NewReader(body[h.control : h.control+h.differences])),
		extra:       bzip2.NewReader(bytes.NewReader(body[h.control+h.differences:])),
	}
	idle := int64(idleSteps)
	for int64(len(a.newFile)) < a.size {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		before := len(a.newFile)
		if err := a.step(); err != nil {
			return nil, err
		}
		if len(a.newFile) > before {
			idle++
		} else if idle--; idle < 0 {
			return nil, corrupt("too many of its steps do not extend the new file")
		}
	}
	return a.newFile, nil
}

// applier is the state of building a new file.
type applier struct {
	oldFile, newFile            []byte
	size                        int64
	position                    int64 // in the old file; may be outside it
	control, differences, extra io.Reader
}

// step applies one triple of the control block.
func (a *applier) step() error {
	var triple [tripleSize]byte
	if _, err := io.ReadFull(a.control, triple[:]); err != nil {
		return corrupt("control block: %v", err)
	}
	add, extra, move := readInt(triple[:]), readInt(triple[intSize:]), readInt(triple[2*intSize:])
	if add < 0 || add > math.MaxInt32 || extra < 0 || extra > math.MaxInt32 || move < math.MinInt32 || move > math.MaxInt32 {
		return corrupt("it has the step %d, %d, %d", add, extra, move)
	}
	from := int64(len(a.newFile))
	if add+extra > a.size-from {
		return corrupt("the step %d, %d, %d goes beyond the new file", add, extra, move)
	}
	a.newFile = a.newFile[:from+add+extra]
	if _, err := io.ReadFull(a.differences, a.newFile[from:from+add]); err != nil {
		return corrupt("difference block: %v", err)
	}
	a.addOld(a.newFile[from : from+add])
	if _, err := io.ReadFull(a.extra, a.newFile[from+add:]); err != nil {
		return corrupt("extra block: %v", err)
	}
	a.position += add + move
	return nil
}

// addOld adds the old file's bytes, beginning at the current position, to stretch. Bytes outside the file count as 0.
func (a *applier) addOld(stretch []byte) {
	skipped := min(max(0, -a.position), int64(len(stretch)))
	begin := a.position + skipped
	if begin < 0 || begin >= int64(len(a.oldFile)) {
		return
	}
	stretch = stretch[skipped:]
	for i := range min(len(stretch), len(a.oldFile)-int(begin)) {
		stretch[i] += a.oldFile[int(begin)+i]
	}
}
