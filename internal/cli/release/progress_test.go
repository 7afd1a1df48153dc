package release

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
)

func sending(sizes ...int64) (files []client.FileProgress) {
	for i, size := range sizes {
		files = append(files, client.FileProgress{Name: "assets/" + strings.Repeat("x", i), Size: size})
	}
	return files
}

func TestEachFileHasABar(t *testing.T) {
	t.Parallel()
	files := sending(2_000_000, 1_000_000)
	files[0].Sent = 1_000_000
	lines := bars(files, 2*time.Second, 80, 24)
	require.Len(t, lines, 3)
	for _, line := range lines[:2] {
		require.LessOrEqual(t, ansi.StringWidth(line), 80)
	}
	require.Contains(t, ansi.Strip(lines[0]), "██████████░░░░░░░░░░  50%  2.0 MB")
	require.Contains(t, ansi.Strip(lines[1]), "░   0%  1.0 MB")
	require.Equal(t, "1.0 MB of 3.0 MB, 0.5 MB/s, 4s remaining", lines[2])
}

func TestSmallFilesShareABarOnASmallScreen(t *testing.T) {
	t.Parallel()
	lines := bars(sending(5, 9_000_000, 7, 8_000_000, 6), 0, 40, 5)
	require.Len(t, lines, 4)
	for _, line := range lines[:3] {
		require.Equal(t, ansi.StringWidth(lines[0]), ansi.StringWidth(line), "sizes end in the same column")
	}
	require.Equal(t, "20.0 kB", fileSize(20_000))
	require.Contains(t, ansi.Strip(lines[0]), "9.0 MB")
	require.Contains(t, ansi.Strip(lines[1]), "8.0 MB")
	require.Contains(t, ansi.Strip(lines[2]), "3 smaller files")
	long := bar(client.FileProgress{Name: strings.Repeat("folder/", 30) + "index.hbc", Size: 1}, 80, 8)
	require.Contains(t, ansi.Strip(long), "/index.hbc ")
	require.True(t, strings.HasPrefix(long, "…"))
	require.LessOrEqual(t, ansi.StringWidth(long), 80)
	require.Contains(t, ansi.Strip(bar(client.FileProgress{Name: "empty"}, 80, 8)), "100%")
}

func TestWithoutATerminalFilesAreLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := newProgress(&out)
	files := sending(2_000_000)
	p.begin(files)
	p.sent(client.FileProgress{Name: "assets/", Sent: 1, Size: 2_000_000})
	p.sent(client.FileProgress{Name: "assets/", Sent: 2_000_000, Size: 2_000_000})
	p.sent(client.FileProgress{Name: "assets/", Sent: 2_000_000, Size: 2_000_000})
	p.end()
	p.sent(client.FileProgress{Name: "assets/", Sent: 1, Size: 2_000_000}) // the request was cancelled, and its goroutine ends later
	require.Equal(t, "sending 1 file, 2.0 MB\nsent assets/, 2.0 MB\n", out.String())
}

func TestTheEndOfAnOutputHasSeveralWriters(t *testing.T) {
	t.Parallel()
	var end tail
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for range 100 {
				fmt.Fprint(&end, strings.Repeat("x", 1000))
			}
		})
	}
	writers.Wait()
	require.Equal(t, strings.Repeat("x", tailBytes), end.String())
}

func TestFaultsOfFilesAreSentencesWithTheFix(t *testing.T) {
	t.Parallel()
	at := func(err error) error { return &fs.PathError{Op: "open", Path: "dist/index.hbc", Err: err} }
	require.EqualError(t, explainRead(at(syscall.EACCES), "dist"),
		"dist/index.hbc cannot be read: allow it with `chmod -R u+rX dist`, or export again as this user")
	require.ErrorContains(t, explainRead(at(syscall.ENOENT), "dist"), "was deleted while the export was read: export again")
	require.EqualError(t, explainRead(at(syscall.ENOSPC), "dist"), "the disk of dist is full: delete files on it, then publish again")
	other := errors.New("other")
	require.Equal(t, other, explainRead(other, "dist"))
	require.NoError(t, explainRead(nil, "dist"))
}

func TestTheLogOfGitHasCommitAndBranch(t *testing.T) {
	t.Parallel()
	c := commit{hash: "1", author: "Ada, of London", subject: "Fix the basket, and the map"}
	require.Equal(t, c, commitOf("1\x00Ada, of London\x00Fix the basket, and the map\x00HEAD, refs/heads/main"), "a detached HEAD")
	require.Equal(t, c, commitOf("1\x00Ada, of London\x00Fix the basket, and the map\x00"), "no ref is at the commit")
	c.branch = "a/b,c"
	require.Equal(t, c, commitOf("1\x00Ada, of London\x00Fix the basket, and the map\x00HEAD -> refs/heads/a/b,c, refs/heads/main"))
	require.Equal(t, c, commitOf("1\x00Ada, of London\x00Fix the basket, and the map\x00grafted, HEAD -> refs/heads/a/b,c"), "a shallow clone")
	require.Empty(t, commitOf(""))
}
