package assets

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/models"
)

const unlimited = 1 << 40

func stage(t testing.TB, b *Bucket, content string) *Staged {
	t.Helper()
	s, err := b.Stage(t.Context(), strings.NewReader(content), unlimited)
	require.NoError(t, err)
	return s
}

func read(t require.TestingT, ctx context.Context, b *Bucket, projectID int64, md5 string) []byte {
	r, err := b.Open(ctx, projectID, md5)
	require.NoError(t, err)
	defer r.Close()
	content, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, int64(len(content)), r.Size())
	return content
}

// TestStageKeepsFlatMemory does not run in parallel, because allocations are counted for the whole process.
func TestStageKeepsFlatMemory(t *testing.T) {
	b, _, _ := openLocal(t)
	const size = 64 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := b.Stage(t.Context(), io.LimitReader(zeros{}, size), size)
	require.NoError(t, err)
	require.NoError(t, keep(t.Context(), s, 1))
	runtime.ReadMemStats(&after)
	require.Equal(t, int64(size), s.Size())
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(size/16))
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestWhatGoesInComesOut(t *testing.T) {
	t.Parallel()
	b, bucketDir, stagingDir := openLocal(t)
	held := map[string]bool{}
	rapid.Check(t, func(r *rapid.T) {
		content := rapid.SliceOf(rapid.Byte()).Draw(r, "content")
		// Readers may return their content in pieces of any size.
		var from io.Reader = bytes.NewReader(content)
		if rapid.Bool().Draw(r, "in pieces") {
			from = iotest.HalfReader(iotest.DataErrReader(from))
		}
		s, err := b.Stage(t.Context(), from, int64(len(content)))
		require.NoError(r, err)
		sum5, sum256 := md5.Sum(content), sha256.Sum256(content)
		require.Equal(r, hex.EncodeToString(sum5[:]), s.MD5())
		require.Equal(r, base64.RawURLEncoding.EncodeToString(sum256[:]), s.SHA256())
		require.Equal(r, int64(len(content)), s.Size())

		require.NoError(r, keep(t.Context(), s, 7))
		require.NoError(r, keep(t.Context(), s, 7), "storing it twice has the same result")
		require.NoError(r, s.Discard())
		require.NoError(r, s.Discard(), "discarding it twice has the same result")
		require.True(r, bytes.Equal(content, read(r, t.Context(), b, 7, s.MD5())))
		held[s.MD5()] = true
		require.Len(r, filesIn(t, bucketDir), len(held), "equal files are stored once")
		require.Empty(r, filesIn(t, stagingDir))
	})
}

func TestProjectsDoNotShareFiles(t *testing.T) {
	t.Parallel()
	b, _, _ := openLocal(t)
	s := stage(t, b, "content")
	require.NoError(t, keep(t.Context(), s, 1))
	_, err := b.Open(t.Context(), 2, s.MD5())
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	require.NoError(t, keep(t.Context(), s, 2))
	require.Equal(t, "content", string(read(t, t.Context(), b, 2, s.MD5())))
}

func TestWhatIsNotKeptIsNotReachable(t *testing.T) {
	t.Parallel()
	b, bucketDir, stagingDir := openLocal(t)
	s := stage(t, b, "content")
	require.Len(t, filesIn(t, stagingDir), 1)
	require.NoError(t, s.Discard())
	_, err := b.Open(t.Context(), 1, s.MD5())
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	require.Empty(t, filesIn(t, bucketDir))
	require.Empty(t, filesIn(t, stagingDir))
}

func TestStageKeepsTheLimit(t *testing.T) {
	t.Parallel()
	b, _, stagingDir := openLocal(t)
	s, err := b.Stage(t.Context(), strings.NewReader("1234"), 4)
	require.NoError(t, err)
	require.NoError(t, s.Discard())
	_, err = b.Stage(t.Context(), strings.NewReader("12345"), 4)
	require.Equal(t, models.CodeTooLarge, models.CodeOf(err))
	require.ErrorContains(t, err, "limit of 4 bytes")
	_, err = b.Stage(t.Context(), zeros{}, 1<<20)
	require.Equal(t, models.CodeTooLarge, models.CodeOf(err), "reading stops at the limit")
	require.Empty(t, filesIn(t, stagingDir))
}

func TestStageLeavesNothingAfterAnError(t *testing.T) {
	t.Parallel()
	b, _, stagingDir := openLocal(t)
	cut := errors.New("the connection broke")
	_, err := b.Stage(t.Context(), io.MultiReader(strings.NewReader("half"), iotest.ErrReader(cut)), unlimited)
	require.ErrorIs(t, err, cut)
	require.Equal(t, models.CodeInternal, models.CodeOf(err), "the reader's caller must classify the error")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = b.Stage(ctx, zeros{}, unlimited)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, filesIn(t, stagingDir))
}

func TestStageWithoutItsFolderIsUnavailable(t *testing.T) {
	t.Parallel()
	b, _, stagingDir := openLocal(t)
	s := stage(t, b, "content")
	require.NoError(t, os.RemoveAll(stagingDir))
	_, err := b.Stage(t.Context(), strings.NewReader("x"), unlimited)
	require.Equal(t, models.CodeUnavailable, models.CodeOf(err))
	require.Equal(t, models.CodeUnavailable, models.CodeOf(keep(t.Context(), s, 1)))
	_, err = s.Open()
	require.Equal(t, models.CodeUnavailable, models.CodeOf(err))
	require.NoError(t, s.Discard())
}

func TestKeepAfterCancellationLeavesNothing(t *testing.T) {
	t.Parallel()
	b, bucketDir, _ := openLocal(t)
	s := stage(t, b, "content")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, keep(ctx, s, 1))
	require.Empty(t, filesIn(t, bucketDir))
}

func TestKeepNeverReplacesAnObject(t *testing.T) {
	t.Parallel()
	b, bucketDir, _ := openLocal(t)
	s := stage(t, b, "content")
	object := filepath.Join(bucketDir, "projects", "1", s.MD5()[:2], s.MD5())
	require.NoError(t, os.MkdirAll(filepath.Dir(object), 0o700))
	require.NoError(t, os.WriteFile(object, []byte("damaged!"), 0o600))
	require.ErrorContains(t, keep(t.Context(), s, 1), "has 8 bytes where its content has 7")
	require.Equal(t, "damaged!", string(read(t, t.Context(), b, 1, s.MD5())))
}

func TestKeepAtOnceFromSeveralUploads(t *testing.T) {
	t.Parallel()
	b, bucketDir, _ := openLocal(t)
	content := strings.Repeat("content", 10_000)
	var g errgroup.Group
	for range 16 {
		s := stage(t, b, content)
		g.Go(func() error { return keep(t.Context(), s, 1) })
	}
	require.NoError(t, g.Wait())
	require.Len(t, filesIn(t, bucketDir), 1)
	require.Equal(t, content, string(read(t, t.Context(), b, 1, stage(t, b, content).MD5())))
}
