package bsdiff

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/dsnet/compress/bzip2"
	"github.com/stretchr/testify/require"
)

// handmade returns a patch with the given steps, differences and extra bytes.
func handmade(t require.TestingT, newSize int64, steps [][3]int64, differences, extra []byte) []byte {
	var control []byte
	for _, step := range steps {
		for _, n := range step {
			control = appendInt(control, n)
		}
	}
	streams := make([][]byte, 0, 3)
	for _, plain := range [][]byte{control, differences, extra} {
		var packed bytes.Buffer
		w, err := bzip2.NewWriter(&packed, nil)
		require.NoError(t, err)
		_, err = w.Write(plain)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		streams = append(streams, packed.Bytes())
	}
	h := header{int64(len(streams[0])), int64(len(streams[1])), newSize}
	return slices.Concat(h.append(nil), streams[0], streams[1], streams[2])
}

func TestApply(t *testing.T) {
	t.Parallel()
	oldFile := []byte("abcdef")
	for name, c := range map[string]struct {
		patch  []byte
		wanted string
	}{
		"add and copy": {handmade(t, 5, [][3]int64{{3, 2, 0}}, []byte{0, 0, 1}, []byte("xy")), "abdxy"},
		"move":         {handmade(t, 4, [][3]int64{{2, 0, 2}, {2, 0, 0}}, zeros(4), nil), "abef"},
		"move back":    {handmade(t, 6, [][3]int64{{3, 0, -3}, {3, 0, 0}}, zeros(6), nil), "abcabc"},
		"before the old file": {
			handmade(t, 4, [][3]int64{{0, 0, -2}, {4, 0, 0}}, []byte("ZZ\x00\x00"), nil), "ZZab",
		},
		"behind the old file": {handmade(t, 8, [][3]int64{{8, 0, 0}}, []byte("\x00\x00\x00\x00\x00\x00gh"), nil), "abcdefgh"},
		"far behind it":       {handmade(t, 2, [][3]int64{{0, 0, 99}, {2, 0, 0}}, []byte("zz"), nil), "zz"},
		"far before it":       {handmade(t, 2, [][3]int64{{0, 0, -99}, {2, 0, 0}}, []byte("zz"), nil), "zz"},
		"nothing":             {handmade(t, 0, nil, nil, nil), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Apply(t.Context(), oldFile, c.patch, 100)
			require.NoError(t, err)
			require.Equal(t, c.wanted, string(got))
		})
	}
}

func TestApplyRefusesBadPatches(t *testing.T) {
	t.Parallel()
	oldFile := []byte("abcdef")
	good := handmade(t, 5, [][3]int64{{3, 2, 0}}, []byte{0, 0, 1}, []byte("xy"))
	withLength := func(at int, n int64) []byte {
		return slices.Concat(good[:at], appendInt(nil, n), good[at+8:])
	}
	for name, patch := range map[string][]byte{
		"empty":                        nil,
		"header only in part":          good[:31],
		"header alone":                 good[:32],
		"another format":               slices.Concat([]byte("BSDIFF43"), good[8:]),
		"control length negative":      withLength(8, -1),
		"control length beyond it":     withLength(8, int64(len(good))),
		"difference length negative":   withLength(16, -1),
		"lengths that overflow":        withLength(16, 1<<62),
		"new size negative":            withLength(24, -1),
		"new size above the limit":     withLength(24, 101),
		"new size beyond its steps":    withLength(24, 6),
		"add beyond the new file":      handmade(t, 5, [][3]int64{{6, 0, 0}}, zeros(6), nil),
		"copy beyond the new file":     handmade(t, 5, [][3]int64{{3, 3, 0}}, zeros(3), zeros(3)),
		"add negative":                 handmade(t, 5, [][3]int64{{-1, 6, 0}}, nil, zeros(6)),
		"copy negative":                handmade(t, 5, [][3]int64{{6, -1, 0}}, zeros(6), nil),
		"add as long as can be":        handmade(t, 5, [][3]int64{{1<<63 - 1, 1<<63 - 1, 0}}, nil, nil),
		"move too far":                 handmade(t, 5, [][3]int64{{1, 0, 1 << 40}, {4, 0, 0}}, zeros(5), nil),
		"difference block too short":   handmade(t, 5, [][3]int64{{5, 0, 0}}, zeros(4), nil),
		"extra block too short":        handmade(t, 5, [][3]int64{{0, 5, 0}}, nil, zeros(4)),
		"steps that lead nowhere":      handmade(t, 5, slices.Repeat([][3]int64{{0, 0, 1}}, 5000), nil, nil),
		"control that is no bzip2":     changed(good, 33),
		"difference that is no bzip2":  changed(good, 32+int(readInt(good[8:]))),
		"a control block that is cut":  slices.Concat(good[:8], appendInt(nil, 20), good[16:]),
		"the last byte is missing too": good[:len(good)-20],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Apply(t.Context(), oldFile, patch, 100)
			require.ErrorIs(t, err, errCorrupt)
		})
	}
}

// Apply must not reserve memory just because a header says so.
func TestApplyTakesNoMoreMemoryThanItsLimit(t *testing.T) {
	t.Parallel()
	patch := header{0, 0, 1 << 60}.append(nil)
	_, err := Apply(t.Context(), nil, patch, 1<<20)
	require.ErrorIs(t, err, errCorrupt)
}

func TestApplyEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Apply(ctx, zeros(100), made(t, zeros(100), zeros(200)), 200)
	require.ErrorIs(t, err, context.Canceled)
}

func FuzzApply(f *testing.F) {
	oldFile := noise(1, 500)
	f.Add(oldFile, made(f, oldFile, changed(oldFile, 3, 200)))
	f.Add(oldFile, made(f, oldFile, noise(2, 300)))
	f.Add(oldFile, handmade(f, 5, [][3]int64{{3, 2, -9}}, zeros(3), zeros(2)))
	f.Add([]byte("abc"), handmade(f, 9, [][3]int64{{0, 0, -5}, {9, 0, 0}}, zeros(9), nil))
	f.Fuzz(func(t *testing.T, oldFile, patch []byte) {
		const limit = 1 << 20
		newFile, err := Apply(t.Context(), oldFile, patch, limit)
		if err != nil {
			require.ErrorIs(t, err, errCorrupt)
			return
		}
		require.LessOrEqual(t, len(newFile), limit)
		require.Equal(t, readInt(patch[24:]), int64(len(newFile)))
	})
}

// For any two files that a fuzzer generates, the patch must be right.
func FuzzDiff(f *testing.F) {
	f.Add([]byte("abcabcabc"), []byte("abcabdabc"))
	f.Add([]byte{}, []byte("x"))
	f.Add(zeros(300), zeros(200))
	f.Fuzz(func(t *testing.T, oldFile, newFile []byte) {
		requireMakes(t, oldFile, newFile, made(t, oldFile, newFile))
	})
}
