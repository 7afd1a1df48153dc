package assets

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// keep keeps a file as a type that is never compressed.
func keep(ctx context.Context, s *Staged, projectID int64) error {
	return s.Keep(ctx, projectID, "image/png")
}

func pendingOf(s *Staged, contentType string) models.PendingFile {
	return models.PendingFile{MD5: s.MD5(), SHA256: s.SHA256(), SizeBytes: s.Size(), ContentType: contentType}
}

// compressed keeps a file for project 1 and creates its variants.
func compressed(t testing.TB, s *Staged, contentType string) models.BlobVariants {
	t.Helper()
	require.NoError(t, s.Keep(t.Context(), 1, contentType))
	variants, err := s.bucket.Compress(t.Context(), 1, pendingOf(s, contentType))
	require.NoError(t, err)
	return variants
}

const script = "application/javascript"

// sentences returns n bytes that compress as well as a script.
func sentences(n int) string {
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("function return const let export default import from this props state render value name index")
	var text strings.Builder
	for text.Len() < n {
		text.WriteString(words[random.IntN(len(words))])
		text.WriteByte(" ({;,.\n"[random.IntN(7)])
	}
	return text.String()[:n]
}

// noise returns n bytes that cannot be compressed.
func noise(n int) string {
	content := make([]byte, n)
	random := rand.NewChaCha8([32]byte{})
	_, _ = random.Read(content)
	return string(content)
}

// readVariant returns a variant as decoded by a client, and its size.
func readVariant(t testing.TB, b *Bucket, projectID int64, md5 string, e models.Encoding) (decoded string, size int64) {
	t.Helper()
	r, err := b.OpenVariant(t.Context(), projectID, md5, e)
	require.NoError(t, err)
	defer r.Close()
	var from io.Reader = r
	switch e {
	case models.Gzip:
		from, err = gzip.NewReader(r)
		require.NoError(t, err)
	case models.Brotli:
		from = brotli.NewReader(r)
	case models.Identity:
	}
	content, err := io.ReadAll(from)
	require.NoError(t, err)
	return string(content), r.Size()
}

func TestCompressMakesVariantsOnce(t *testing.T) {
	t.Parallel()
	b, bucketDir, stagingDir := openLocal(t)
	content := sentences(100_000)
	s := stage(t, b, content)
	require.NoError(t, s.Keep(t.Context(), 1, script))
	require.Len(t, filesIn(t, bucketDir), 1, "an upload does not create variants")
	variants := compressed(t, s, script)
	require.Less(t, *variants.BrotliBytes, int64(50_000))
	require.Less(t, *variants.GzipBytes, int64(50_000))
	require.NotEqual(t, *variants.BrotliBytes, *variants.GzipBytes)
	for e, want := range map[models.Encoding]int64{models.Identity: 100_000, models.Gzip: *variants.GzipBytes, models.Brotli: *variants.BrotliBytes} {
		decoded, size := readVariant(t, b, 1, s.MD5(), e)
		require.Equal(t, content, decoded)
		require.Equal(t, want, size, e)
	}
	require.Len(t, filesIn(t, bucketDir), 3)

	// An object never changes, even if it would come out differently today.
	object := filepath.Join(bucketDir, "projects", "1", s.MD5()[:2], s.MD5()+".br")
	require.NoError(t, os.WriteFile(object, []byte("of another compressor"), 0o600))
	again := compressed(t, s, script)
	require.EqualValues(t, len("of another compressor"), *again.BrotliBytes)
	require.Equal(t, variants.GzipBytes, again.GzipBytes)
	require.Len(t, filesIn(t, bucketDir), 3)

	require.NoError(t, s.Discard())
	require.Empty(t, filesIn(t, stagingDir))
	require.NoError(t, b.Remove(t.Context(), 1, s.MD5()))
	require.Empty(t, filesIn(t, bucketDir))
}

func TestCompressMakesNoVariantsThatDoNotHelp(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"of noise": noise(100_000),
		// A seventh can be saved; together with the headers, it is less than a tenth.
		"that are little smaller": noise(93_000) + strings.Repeat("x", 7_000),
		"of nothing":              "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, bucketDir, stagingDir := openLocal(t)
			s := stage(t, b, content)
			require.Equal(t, models.BlobVariants{}, compressed(t, s, "application/octet-stream"))
			require.Len(t, filesIn(t, bucketDir), 1)
			require.NoError(t, s.Discard())
			require.Empty(t, filesIn(t, stagingDir))
			_, err := b.OpenVariant(t.Context(), 1, s.MD5(), models.Brotli)
			require.Equal(t, models.CodeNotFound, models.CodeOf(err))
		})
	}
}

func TestWhatIsWorthCompressing(t *testing.T) {
	t.Parallel()
	require.True(t, WorthCompressing(script, maxCompressed))
	require.False(t, WorthCompressing(script, maxCompressed+1))
	require.True(t, WorthCompressing(script, minCompressed))
	require.False(t, WorthCompressing(script, minCompressed-1), "it fits into a packet")
	require.False(t, WorthCompressing("image/png", 10_000), "the format is already compressed")
}

// TestCompressingKeepsFlatMemory does not run in parallel, because allocations are counted for the whole process.
func TestCompressingKeepsFlatMemory(t *testing.T) {
	b, _, _ := openLocal(t)
	const size = maxCompressed
	s, err := b.Stage(t.Context(), io.LimitReader(zeros{}, size), size)
	require.NoError(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	variants := compressed(t, s, script)
	runtime.ReadMemStats(&after)
	require.NotNil(t, variants.BrotliBytes)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(size/2))
}

func TestCompressTakesOnlyTheContent(t *testing.T) {
	t.Parallel()
	b, bucketDir, stagingDir := openLocal(t)
	s := stage(t, b, sentences(10_000))
	_, err := b.Compress(t.Context(), 1, pendingOf(s, script))
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	require.NoError(t, s.Keep(t.Context(), 1, script))
	_, err = b.Compress(t.Context(), 2, pendingOf(s, script))
	require.Equal(t, models.CodeNotFound, models.CodeOf(err), "the file belongs to another project")
	for _, damaged := range []string{sentences(9_999) + "!", sentences(9_999), sentences(10_001)} {
		object := filepath.Join(bucketDir, "projects", "1", s.MD5()[:2], s.MD5())
		require.NoError(t, os.WriteFile(object, []byte(damaged), 0o600))
		_, err = b.Compress(t.Context(), 1, pendingOf(s, script))
		require.Equal(t, models.CodeInvalid, models.CodeOf(err))
	}
	require.Len(t, filesIn(t, bucketDir), 1)
	require.NoError(t, s.Discard())
	require.Empty(t, filesIn(t, stagingDir))
}

func TestCompressingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	b, _, stagingDir := openLocal(t)
	s := stage(t, b, sentences(10_000))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.compress(ctx, models.Brotli)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, filesIn(t, stagingDir), 1)
}

// flushes records what is flushed to disk, and which files existed at that time.
type flushes struct {
	bucketDir string
	names     []string
	fail      error
}

func (f *flushes) flush(file *os.File) error {
	name, err := filepath.Rel(f.bucketDir, file.Name())
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.IsDir() {
		content, err := os.ReadFile(file.Name())
		if err != nil {
			return err
		}
		name = "content " + string(content)
		named, err := filepath.Glob(filepath.Join(f.bucketDir, "projects/*/*/*[^p]")) // without the copies, which end with .tmp
		if err != nil {
			return err
		}
		if len(named) > 0 {
			name += " under its name already"
		}
	}
	f.names = append(f.names, name)
	return f.fail
}

func TestALocalObjectSurvivesAPowerCut(t *testing.T) {
	t.Parallel()
	for name, mustCopy := range map[string]bool{"linked": false, "copied": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, bucketDir, _ := openLocal(t)
			noted := &flushes{bucketDir: bucketDir}
			b.flush = noted.flush
			b.mustCopy.Store(mustCopy)
			s := stage(t, b, "content")
			folders := []string{"projects/1/" + s.MD5()[:2], "projects/1", "projects", "."}
			require.NoError(t, keep(t.Context(), s, 1))
			require.Equal(t, append([]string{"content content"}, folders...), noted.names)

			// An upload that finds the object cannot assume that its folders are on disk.
			noted.names = nil
			require.NoError(t, keep(t.Context(), s, 1))
			require.Equal(t, folders, noted.names)
		})
	}
}

func TestALocalObjectThatMayNotSurviveIsNoneAtAll(t *testing.T) {
	t.Parallel()
	b, bucketDir, _ := openLocal(t)
	b.flush = (&flushes{bucketDir: bucketDir, fail: errors.New("the disk is full")}).flush
	s := stage(t, b, "content")
	require.Equal(t, models.CodeUnavailable, models.CodeOf(keep(t.Context(), s, 1)))
	require.Empty(t, filesIn(t, bucketDir))
}

func TestCompressedVariantsAreWhole(t *testing.T) {
	t.Parallel()
	for _, e := range models.CompressedEncodings {
		for _, size := range []int{0, 1, 1 << 16, 1<<20 + 1} {
			content := sentences(size)
			var to bytes.Buffer
			for range 2 { // the second time, with a compressor that was used before
				to.Reset()
				require.NoError(t, compressInto(e, &to, strings.NewReader(content)))
			}
			var from io.Reader = brotli.NewReader(&to)
			if e == models.Gzip {
				var err error
				from, err = gzip.NewReader(&to)
				require.NoError(t, err)
			}
			decoded, err := io.ReadAll(from)
			require.NoError(t, err)
			require.Equal(t, content, string(decoded))
		}
	}
}

func TestKeepRefusesOtherContentOfTheMD5(t *testing.T) {
	t.Parallel()
	b, bucketDir, _ := openLocal(t)
	s := stage(t, b, "content")
	object := filepath.Join(bucketDir, "projects", "1", s.MD5()[:2], s.MD5())
	require.NoError(t, os.MkdirAll(filepath.Dir(object), 0o700))
	require.NoError(t, os.WriteFile(object, []byte("CONTENT"), 0o600))
	err := keep(t.Context(), s, 1)
	require.Equal(t, models.CodeInvalid, models.CodeOf(err))
	require.ErrorContains(t, err, s.MD5())
	require.Equal(t, "CONTENT", string(read(t, t.Context(), b, 1, s.MD5())))
}
