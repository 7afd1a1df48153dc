package ingest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/wal"
)

func frame(body string) []byte {
	entry := append(make([]byte, entryChecksumBytes), append([]byte{entryVersion}, body...)...)
	binary.LittleEndian.PutUint32(entry, crc32.Checksum(entry[entryChecksumBytes:], castagnoli))
	return entry
}

// newerEntry returns an intact entry in an encoding that this binary does not know.
func newerEntry(t testing.TB) []byte {
	t.Helper()
	entry := append(make([]byte, entryChecksumBytes), 255, '?')
	binary.LittleEndian.PutUint32(entry, crc32.Checksum(entry[entryChecksumBytes:], castagnoli))
	return entry
}

func openTestSegments(t testing.TB, dir string) *segments {
	t.Helper()
	j, err := openSegments(dir, 1<<10, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, j.close()) })
	return j
}

// contents returns the bodies of all entries of the log.
func contents(t testing.TB, j *segments) []string {
	t.Helper()
	first, err := j.first()
	require.NoError(t, err)
	bodies := []string{}
	for index := first; index <= j.last(); index++ {
		entry, err := j.read(index)
		require.NoError(t, err)
		require.True(t, entryIntact(entry))
		bodies = append(bodies, string(entry[entryHeaderBytes:]))
	}
	return bodies
}

func TestJournalRecoversATailThatWasCutOff(t *testing.T) {
	t.Parallel()
	whole := binary.AppendUvarint(nil, uint64(len(frame("lost"))))
	whole = append(whole, frame("lost")...)
	flipped := append([]byte(nil), whole...)
	flipped[len(flipped)-1] ^= 1
	tails := map[string][]byte{
		"half an entry":               whole[:len(whole)-2],
		"only a size":                 whole[:1],
		"half a size":                 {0xff},
		"zeros":                       make([]byte, 300),
		"an entry with a wrong byte":  flipped,
		"zeros before an older entry": append(make([]byte, 16), whole...),
	}
	for name, tail := range tails {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			j := openTestSegments(t, dir)
			require.NoError(t, j.append([][]byte{frame("a"), frame("b")}))
			require.NoError(t, j.append([][]byte{frame("c")}))
			require.NoError(t, j.close())

			names, err := segmentNames(dir)
			require.NoError(t, err)
			f, err := os.OpenFile(filepath.Join(dir, names[len(names)-1]), os.O_APPEND|os.O_WRONLY, 0)
			require.NoError(t, err)
			_, err = f.Write(tail)
			require.NoError(t, err)
			require.NoError(t, f.Close())

			j = openTestSegments(t, dir)
			require.Equal(t, []string{"a", "b", "c"}, contents(t, j))
			require.NoError(t, j.append([][]byte{frame("d")}))
			require.NoError(t, j.close())
			require.Equal(t, []string{"a", "b", "c", "d"}, contents(t, openTestSegments(t, dir)))
		})
	}
}

func TestJournalUndoesAWriteThatFailed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := openTestSegments(t, dir)
	require.NoError(t, j.append([][]byte{frame("a")}))

	// A write whose sync failed is on the disk, but its sender got an error.
	require.NoError(t, j.wal.Write(2, frame("refused")))
	require.NoError(t, j.wal.Close())
	require.ErrorIs(t, j.append([][]byte{frame("refused too")}), wal.ErrClosed)

	_, err := j.read(1)
	require.NoError(t, err, "a read mends the log too")
	require.NoError(t, j.append([][]byte{frame("b")}))
	require.Equal(t, []string{"a", "b"}, contents(t, j))
	require.NoError(t, j.close())
	require.Equal(t, []string{"a", "b"}, contents(t, openTestSegments(t, dir)))
}

// On a full disk the log can be opened again and read, but not written.
func TestJournalSaysOnceThatItIsWritableAgain(t *testing.T) {
	t.Parallel()
	var logged bytes.Buffer
	j := openTestSegments(t, t.TempDir())
	j.log = slog.New(slog.NewTextHandler(&logged, nil))
	require.NoError(t, j.append([][]byte{frame("a")}))
	full, reopened := errors.New("no space left on device"), false
	j.sync = func(f *os.File) error {
		if reopened = !reopened; reopened {
			return full
		}
		return f.Sync() // by the read, which opens the log again
	}
	for range 3 {
		require.ErrorIs(t, j.append([][]byte{frame("refused")}), full)
		_, err := j.read(1)
		require.NoError(t, err, "a read opens the log again")
	}
	require.NotContains(t, logged.String(), "writable")
	j.sync = (*os.File).Sync
	require.NoError(t, j.append([][]byte{frame("b")}))
	require.NoError(t, j.append([][]byte{frame("c")}))
	require.Equal(t, 1, strings.Count(logged.String(), "ingest log is writable again"), logged.String())
}

func TestJournalDropsItsFront(t *testing.T) {
	t.Parallel()
	for _, keep := range []int{0, 1, 7, 50, 99, 100} {
		t.Run(fmt.Sprintf("keeping %d of 100 entries in many files", keep), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			j := openTestSegments(t, dir)
			want := []string{}
			for n := range 100 {
				body := fmt.Sprintf("entry %d with some text that fills the files", n)
				require.NoError(t, j.append([][]byte{frame(body)}))
				if n >= 100-keep {
					want = append(want, body)
				}
			}
			require.NoError(t, j.dropBefore(uint64(101-keep)))
			require.Equal(t, want, contents(t, j))
			require.NoError(t, j.append([][]byte{frame("next")}))
			require.Equal(t, uint64(101), j.last())
			require.NoError(t, j.close())
			require.Equal(t, append(want, "next"), contents(t, openTestSegments(t, dir)))
		})
	}
}

func TestJournalKeepsItsNumbersWhenItIsEmpty(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := openTestSegments(t, dir)
	require.NoError(t, j.append([][]byte{frame("a"), frame("b")}))
	require.NoError(t, j.dropBefore(3))
	require.NoError(t, j.close())

	j = openTestSegments(t, dir)
	require.Equal(t, uint64(2), j.last())
	first, err := j.first()
	require.NoError(t, err)
	require.Equal(t, uint64(3), first)
}
