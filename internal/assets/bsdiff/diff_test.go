package bsdiff

import (
	"bytes"
	"compress/bzip2"
	"context"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func made(t require.TestingT, oldFile, newFile []byte) []byte {
	patch, err := Diff(context.Background(), oldFile, newFile)
	require.NoError(t, err)
	return patch
}

func requireMakes(t require.TestingT, oldFile, newFile, patch []byte) {
	got, err := Apply(context.Background(), oldFile, patch, int64(len(newFile)))
	require.NoError(t, err)
	require.True(t, bytes.Equal(newFile, got), "the patch results in another file")
}

func zeros(n int) []byte { return make([]byte, n) }

// changed returns file with different bytes at some places.
func changed(file []byte, at ...int) []byte {
	file = slices.Clone(file)
	for _, i := range at {
		file[i] ^= 0x5a
	}
	return file
}

func TestPatchesMakeTheNewFile(t *testing.T) {
	t.Parallel()
	some := noise(1, 60000)
	cases := []struct {
		name             string
		oldFile, newFile []byte
		atMost           int // bytes of the patch
	}{
		{"both empty", nil, nil, 80},
		{"from nothing", nil, []byte("hello"), 140},
		{"to nothing", []byte("hello"), nil, 80},
		{"one byte", []byte("a"), []byte("b"), 140},
		{"the same", some, some, 150},
		{"one byte changed", some, changed(some, 30000), 200},
		{"something put in", some, slices.Concat(some[:20000], []byte("something"), some[20000:]), 220},
		{"something left out", some, slices.Concat(some[:20000], some[21000:]), 220},
		{"halves exchanged", some, slices.Concat(some[30000:], some[:30000]), 220},
		{"the end first", some, slices.Concat(some[59990:], some), 220},
		{"unrelated", some, noise(2, 60000), 62000},
		{"text", []byte(strings.Repeat("to be or not to be; ", 500)), []byte(strings.Repeat("to be, or not to be. ", 500)), 500},
		{"zeros that grow", zeros(60000), zeros(90000), 200},
		{"zeros that shrink", zeros(90000), zeros(60000), 200},
		{"zeros with a mark that moves", changed(zeros(90000), 40000), changed(zeros(90000), 39990), 250},
		{"zeros with many marks", changed(zeros(90000), 1000, 30000, 60001), changed(zeros(90000), 1003, 30000, 60007, 80000), 400},
		{"a run beside another", slices.Concat(zeros(5000), bytes.Repeat([]byte{1}, 5000)), slices.Concat(zeros(5008), bytes.Repeat([]byte{1}, 4992)), 250},
		{"repeated", bytes.Repeat(some[:1000], 50), bytes.Repeat(some[3:1000], 50), 700},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			patch := made(t, c.oldFile, c.newFile)
			requireMakes(t, c.oldFile, c.newFile, patch)
			require.LessOrEqual(t, len(patch), c.atMost)
		})
	}
}

func TestPatchesOfAnyFilesMakeTheNewFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		oldFile := rapid.SliceOfN(rapid.Byte(), 0, 3000).Draw(t, "old")
		newFile := edited(t, oldFile)
		requireMakes(t, oldFile, newFile, made(t, oldFile, newFile))
	})
}

// edited returns a file made of pieces of another file, which are moved, repeated and changed, and of new pieces.
func edited(t *rapid.T, file []byte) (out []byte) {
	for range rapid.IntRange(0, 8).Draw(t, "pieces") {
		from := rapid.IntRange(0, len(file)).Draw(t, "from")
		piece := slices.Clone(file[from:rapid.IntRange(from, len(file)).Draw(t, "to")])
		switch rapid.IntRange(0, 3).Draw(t, "edit") {
		case 0:
			piece = rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "fresh")
		case 1:
			piece = bytes.Repeat(piece[:min(len(piece), 40)], rapid.IntRange(0, 20).Draw(t, "times"))
		case 2:
			for i := 0; i < len(piece); i += rapid.IntRange(1, 60).Draw(t, "step") {
				piece[i]++
			}
		}
		out = append(out, piece...)
	}
	return out
}

// TestTheFormatIsThatOfBsdiff4 reads a patch byte by byte according to the description of the format.
func TestTheFormatIsThatOfBsdiff4(t *testing.T) {
	t.Parallel()
	oldFile := []byte("The quick brown fox jumps over the lazy dog, and nothing else happens at all.")
	newFile := []byte("The quick brown cat jumps over the lazy dog, and nothing else happens. So it is.")
	patch := made(t, oldFile, newFile)
	require.Equal(t, "BSDIFF40", string(patch[:8]))
	control := int(binary.LittleEndian.Uint64(patch[8:]))
	differences := int(binary.LittleEndian.Uint64(patch[16:]))
	require.Equal(t, uint64(len(newFile)), binary.LittleEndian.Uint64(patch[24:]))
	streams := [][]byte{patch[32 : 32+control], patch[32+control : 32+control+differences], patch[32+control+differences:]}
	plain := make([][]byte, len(streams))
	for i, stream := range streams {
		require.Equal(t, "BZh9", string(stream[:4]))
		var err error
		plain[i], err = io.ReadAll(bzip2.NewReader(bytes.NewReader(stream)))
		require.NoError(t, err)
	}
	require.NotEmpty(t, plain[0])
	require.Zero(t, len(plain[0])%24)
	require.Len(t, newFile, len(plain[1])+len(plain[2]))
	first := plain[0][:24]
	stretch := int(binary.LittleEndian.Uint64(first))
	for i := range stretch {
		require.Equal(t, newFile[i]-oldFile[i], plain[1][i])
	}
}

func TestIntegersAreSignAndMagnitude(t *testing.T) {
	t.Parallel()
	for n, wanted := range map[int64]string{
		0: "\x00\x00\x00\x00\x00\x00\x00\x00", 1: "\x01\x00\x00\x00\x00\x00\x00\x00", -1: "\x01\x00\x00\x00\x00\x00\x00\x80",
		258: "\x02\x01\x00\x00\x00\x00\x00\x00", -65536: "\x00\x00\x01\x00\x00\x00\x00\x80",
	} {
		require.Equal(t, wanted, string(appendInt(nil, n)))
		require.Equal(t, n, readInt([]byte(wanted)))
	}
}

// For these files, bsdiff 4.3 takes quadratic time, because it compares long runs at each position. Diff compares them
// at few positions, and after each of these it skips a run: see maxHesitation.
func TestLongRunsAreComparedAtFewPositions(t *testing.T) {
	t.Parallel()
	const size = 2 << 20
	for name, files := range map[string][2][]byte{
		"a mark that moves": {changed(zeros(size), size/2), changed(zeros(size), size/2-5)},
		"marks come near":   {changed(zeros(size), size/4, size/2, size/4*3), changed(zeros(size), size/4+3, size/2+1, size/4*3-6)},
		"zeros that grow":   {zeros(size), zeros(size + 100)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			most := &endsAfter{Context: t.Context(), looks: 1000 / checkEvery}
			patch, err := Diff(most, files[0], files[1])
			require.NoError(t, err)
			requireMakes(t, files[0], files[1], patch)
		})
	}
}

func TestDiffEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Diff(ctx, zeros(10), zeros(20))
	require.ErrorIs(t, err, context.Canceled)

	// The search checks the context too: here, the context ends after the first check.
	once := &endsAfter{Context: t.Context(), looks: 1}
	_, err = Diff(once, noise(1, 1<<16), noise(2, 1<<16))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, -1, once.looks, "it stopped at the first check after the end")
}

// endsAfter is a context that ends after it was checked a number of times.
type endsAfter struct {
	context.Context
	looks int
}

func (c *endsAfter) Err() error {
	if c.looks--; c.looks < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func TestDiffRefusesLargeFiles(t *testing.T) {
	t.Parallel()
	large := zeros(MaxBytes + 1)
	_, err := Diff(t.Context(), large, nil)
	require.ErrorIs(t, err, errTooLarge)
	_, err = Diff(t.Context(), nil, large)
	require.ErrorIs(t, err, errTooLarge)
}
