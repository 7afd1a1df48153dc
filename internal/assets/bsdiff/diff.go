package bsdiff

import (
	"context"
	"errors"
	"fmt"
)

// MaxBytes is the maximum size of a file for Diff. The client reads both files into memory. Diff needs about six times
// the old file's size plus 10 MB (docs/contribute/patches.md).
const MaxBytes = 32 << 20

// errTooLarge is the error of Diff for a file larger than MaxBytes.
var errTooLarge = errors.New("bsdiff: the file is too large")

const (
	// A match is used if it has at least minGain more matching bytes than the continued previous match. A smaller gain
	// costs more in the control block than it saves.
	minGain = 8
	// If a match is longer than maxHesitation bytes, it may be rejected for its small gain at up to maxHesitation
	// consecutive positions. Otherwise the search would take quadratic time in long runs of one value.
	maxHesitation = 100
	// ctx is checked every checkEvery positions.
	checkEvery = 64
)

// Diff returns a patch that makes newFile from oldFile. It takes about O(n log n) time, but quadratic time in long runs
// of unfavourable files, so ctx should have a deadline. Only the sorting of the old file, which takes about 0.2 s per
// MB, does not stop when ctx ends.
func Diff(ctx context.Context, oldFile, newFile []byte) ([]byte, error) {
	if len(oldFile) > MaxBytes || len(newFile) > MaxBytes {
		return nil, fmt.Errorf("%w: %d and %d bytes, but the limit is %d", errTooLarge, len(oldFile), len(newFile), MaxBytes)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out, err := newPatchWriter(oldFile, newFile)
	if err != nil {
		return nil, err
	}
	d := differ{index: newIndex(oldFile), target: newFile}
	if err := d.cover(ctx, out); err != nil {
		return nil, err
	}
	return out.patch()
}

// differ matches a new file with the indexed old file.
type differ struct {
	index
	target []byte
	// The last match begins at lastScan in the new file and at lastPos in the old file.
	lastScan, lastPos int
	searched          int
}

// continues reports whether the last match, if it were continued to a position of the new file, has the same byte
// there.
func (d *differ) continues(scan int) bool {
	at := scan + d.lastPos - d.lastScan
	return at >= 0 && at < len(d.file) && d.file[at] == d.target[scan]
}

// cover writes the whole new file to out, match by match.
func (d *differ) cover(ctx context.Context, out *patchWriter) error {
	scan, pos, length := 0, 0, 0
	for scan < len(d.target) {
		var gain int
		var err error
		if scan, pos, length, gain, err = d.nextMatch(ctx, scan+length, pos, length); err != nil {
			return err
		}
		if gain == 0 && scan < len(d.target) {
			continue // it only continues the last match
		}
		forward := d.growForward(scan)
		backward := 0
		if scan < len(d.target) {
			backward = d.growBackward(scan, pos)
		}
		if overlap := d.lastScan + forward - (scan - backward); overlap > 0 {
			kept := d.splitOverlap(scan-backward, pos-backward, overlap)
			forward += kept - overlap
			backward -= kept
		}
		end := d.lastPos + forward
		if err := out.write(d.lastScan, d.lastPos, forward, scan-backward, pos-backward-end); err != nil {
			return err
		}
		d.lastScan, d.lastPos = scan-backward, pos-backward
	}
	return nil
}

// nextMatch searches for a match to use, from scan to the end of the new file. gain is the number of matching bytes
// that it has beyond the continued last match.
func (d *differ) nextMatch(ctx context.Context, scan, pos, length int) (_, _, _, gain int, err error) {
	continued, hesitated := 0, 0
	for scored := scan; scan < len(d.target); scan++ {
		if d.searched++; d.searched%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return 0, 0, 0, 0, err
			}
		}
		pos, length = d.longestMatch(d.target[scan:])
		for ; scored < scan+length; scored++ {
			if d.continues(scored) {
				continued++
			}
		}
		gain = length - continued
		if gain == 0 && length > 0 || gain > minGain {
			return scan, pos, length, gain, nil
		}
		if hesitated++; length <= maxHesitation {
			hesitated = 0
		}
		if hesitated > maxHesitation {
			return scan, pos, length, gain, nil
		}
		if d.continues(scan) {
			continued--
		}
	}
	return scan, pos, length, length - continued, nil
}

// growForward returns the length by which the last match is extended towards scan. It chooses the length for which
// equal bytes most outnumber different ones.
func (d *differ) growForward(scan int) (length int) {
	score, best := 0, 0
	for i := 0; d.lastScan+i < scan && d.lastPos+i < len(d.file); {
		if d.file[d.lastPos+i] == d.target[d.lastScan+i] {
			score++
		}
		i++
		if 2*score-i > best {
			best, length = 2*score-i, i
		}
	}
	return length
}

// growBackward does the same for the new match, backwards from scan.
func (d *differ) growBackward(scan, pos int) (length int) {
	score, best := 0, 0
	for i := 1; scan-i >= d.lastScan && pos-i >= 0; i++ {
		if d.file[pos-i] == d.target[scan-i] {
			score++
		}
		if 2*score-i > best {
			best, length = 2*score-i, i
		}
	}
	return length
}

// splitOverlap returns how many bytes of an overlap stay with the last match, so that as many bytes as possible are
// equal. The overlap begins at scan in the new file and at pos in the old file.
func (d *differ) splitOverlap(scan, pos, overlap int) (kept int) {
	score, best := 0, 0
	for i := range overlap {
		if d.continues(scan + i) {
			score++
		}
		if d.file[pos+i] == d.target[scan+i] {
			score--
		}
		if score > best {
			best, kept = score, i+1
		}
	}
	return kept
}
