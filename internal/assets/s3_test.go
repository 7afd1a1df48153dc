package assets

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

func openURL(t testing.TB, bucketURL string) *Bucket {
	t.Helper()
	b, err := Open(t.Context(), bucketURL, t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	return b
}

func TestS3(t *testing.T) {
	t.Parallel()
	b := openURL(t, enginetest.Objects(t))
	require.NoError(t, b.Ping(t.Context()))
	content := sentences(50_000)
	s := stage(t, b, content)
	_, err := b.Open(t.Context(), 1, s.MD5())
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))

	variants := compressed(t, s, script)
	require.Equal(t, variants, compressed(t, s, script))
	for e, want := range map[models.Encoding]int64{models.Identity: 50_000, models.Gzip: *variants.GzipBytes, models.Brotli: *variants.BrotliBytes} {
		decoded, size := readVariant(t, b, 1, s.MD5(), e)
		require.Equal(t, content, decoded)
		require.Equal(t, want, size)
	}

	r, err := b.Open(t.Context(), 1, s.MD5())
	require.NoError(t, err)
	defer r.Close()
	_, err = r.Seek(-7, io.SeekEnd)
	require.NoError(t, err)
	rest, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, content[len(content)-7:], string(rest))

	_, err = b.Open(t.Context(), 2, s.MD5())
	require.Equal(t, models.CodeNotFound, models.CodeOf(err), "the file belongs to another project")
	for range 2 {
		require.NoError(t, b.Remove(t.Context(), 1, s.MD5()))
		for _, e := range append(models.CompressedEncodings, models.Identity) {
			_, err = b.OpenVariant(t.Context(), 1, s.MD5(), e)
			require.Equal(t, models.CodeNotFound, models.CodeOf(err))
		}
	}
}

func TestS3TakesLargeFiles(t *testing.T) {
	t.Parallel()
	b := openURL(t, enginetest.Objects(t))
	content := noise(24 << 20) // in several parts
	s := stage(t, b, content)
	for range 2 {
		require.NoError(t, keep(t.Context(), s, 1))
	}
	require.True(t, content == string(read(t, t.Context(), b, 1, s.MD5())))
}

func TestS3TakesTheSameFileFromSeveralUploads(t *testing.T) {
	t.Parallel()
	b := openURL(t, enginetest.Objects(t))
	content := sentences(20_000)
	var g errgroup.Group
	for range 8 {
		s := stage(t, b, content)
		g.Go(func() error {
			if err := s.Keep(t.Context(), 1, script); err != nil {
				return err
			}
			_, err := b.Compress(t.Context(), 1, pendingOf(s, script))
			return err
		})
	}
	require.NoError(t, g.Wait())
	decoded, _ := readVariant(t, b, 1, stage(t, b, content).MD5(), models.Brotli)
	require.Equal(t, content, decoded)
}

func TestS3NeverReplacesAnObject(t *testing.T) {
	t.Parallel()
	b := openURL(t, enginetest.Objects(t))
	s := stage(t, b, "content")
	key, err := objectKey(1, s.MD5())
	require.NoError(t, err)
	require.NoError(t, b.bucket.WriteAll(t.Context(), key, []byte("damaged!"), nil))
	require.ErrorContains(t, keep(t.Context(), s, 1), "has 8 bytes where its content has 7")
	_, _, err = b.put(t.Context(), object{key: key, path: s.path, contentType: script})
	require.NoError(t, err, "as if another upload had been faster")
	require.Equal(t, "damaged!", string(read(t, t.Context(), b, 1, s.MD5())))
}

// fetch returns the response that a device gets from the bucket.
func fetch(t testing.TB, at string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at, nil)
	require.NoError(t, err)
	request.Header.Set("Accept-Encoding", "br, gzip") // so that the client does not decode the response
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer, string(body)
}

func TestS3ServesFilesBySignedURL(t *testing.T) {
	t.Parallel()
	b := openURL(t, enginetest.Objects(t))
	require.NoError(t, b.CanSign(t.Context()))
	s := stage(t, b, sentences(10_000))
	compressed(t, s, "text/plain")
	for _, e := range []models.Encoding{models.Identity, models.Gzip, models.Brotli} {
		// Another build may have the same file with another content type.
		at, err := b.SignedURL(t.Context(), 1, s.MD5(), e, script, time.Hour)
		require.NoError(t, err)
		answer, body := fetch(t, at)
		require.Equal(t, http.StatusOK, answer.StatusCode, body)
		require.Equal(t, script, answer.Header.Get("Content-Type"))
		require.Equal(t, string(e), answer.Header.Get("Content-Encoding"))
		require.Equal(t, cacheForEver, answer.Header.Get("Cache-Control"))
		r, err := b.OpenVariant(t.Context(), 1, s.MD5(), e)
		require.NoError(t, err)
		stored, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		require.Equal(t, string(stored), body)
	}
	at, err := b.SignedURL(t.Context(), 1, s.MD5(), models.Identity, script, time.Hour)
	require.NoError(t, err)
	u, err := url.Parse(at)
	require.NoError(t, err)
	require.Equal(t, "3600", u.Query().Get("X-Amz-Expires"))
	for name, spoil := range map[string]func(u *url.URL, q url.Values){
		"another file":  func(u *url.URL, _ url.Values) { u.Path += ".br" },
		"a longer life": func(_ *url.URL, q url.Values) { q.Set("X-Amz-Expires", "7200") },
		"another type":  func(_ *url.URL, q url.Values) { q.Set("response-content-type", "text/html") },
		"no signature":  func(_ *url.URL, q url.Values) { clear(q) },
	} {
		spoiled, q := *u, u.Query()
		spoil(&spoiled, q)
		spoiled.RawQuery = q.Encode()
		answer, _ := fetch(t, spoiled.String())
		require.Equal(t, http.StatusForbidden, answer.StatusCode, name)
	}
	_, err = b.SignedURL(t.Context(), 1, "../secret", models.Identity, script, time.Hour)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}

func TestS3StoresWhatAnObjectIs(t *testing.T) {
	t.Parallel()
	b := openURL(t, enginetest.Objects(t))
	s := stage(t, b, sentences(10_000))
	compressed(t, s, script)
	key, err := objectKey(1, s.MD5())
	require.NoError(t, err)
	for e, suffix := range suffixes {
		stored, err := b.bucket.Attributes(t.Context(), key+suffix)
		require.NoError(t, err)
		require.Equal(t, script, stored.ContentType)
		require.Equal(t, string(e), stored.ContentEncoding)
		require.Equal(t, cacheForEver, stored.CacheControl)
	}
}

func TestALocalFolderCannotSign(t *testing.T) {
	t.Parallel()
	b, _, _ := openLocal(t)
	require.ErrorContains(t, b.CanSign(t.Context()), "cannot sign")
}

func TestS3ThatIsAwayIsUnavailable(t *testing.T) {
	t.Parallel()
	bucketURL, stop := enginetest.ObjectsIn(t, t.TempDir())
	b := openURL(t, bucketURL)
	s := stage(t, b, "content")
	require.NoError(t, keep(t.Context(), s, 1))
	noBucket := openURL(t, strings.Replace(bucketURL, "://waft-assets", "://nowhere", 1))
	require.Equal(t, models.CodeUnavailable, models.CodeOf(noBucket.Ping(t.Context())))
	stop()
	requireUnavailable(t, b, s)
}

// TestS3ThatRefusesIsUnavailable uses a fake server for behaviour that a real one cannot be made to show.
func TestS3ThatRefusesIsUnavailable(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `<Error><Code>AccessDenied</Code></Error>`)
	}))
	t.Cleanup(server.Close)
	b := openURL(t, "s3://bucket?region=test&anonymous=true&use_path_style=true&endpoint="+server.URL)
	requireUnavailable(t, b, stage(t, b, "content"))
}

func TestACheckOfABucketDoesNotRetry(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(server.Close)
	b := openURL(t, "s3://bucket?region=test&anonymous=true&use_path_style=true&endpoint="+server.URL)
	require.Equal(t, models.CodeUnavailable, models.CodeOf(b.Ping(t.Context())))
	require.EqualValues(t, 1, requests.Load())
}

// requireUnavailable makes all attempts at the same time, because the S3 client takes long to give up.
func requireUnavailable(t testing.TB, b *Bucket, s *Staged) {
	t.Helper()
	attempts := map[string]func() error{
		"ping":   func() error { return b.Ping(t.Context()) },
		"keep":   func() error { return keep(t.Context(), s, 1) },
		"open":   func() error { _, err := b.Open(t.Context(), 1, s.MD5()); return err },
		"remove": func() error { return b.Remove(t.Context(), 1, s.MD5()) },
	}
	var g errgroup.Group
	for name, attempt := range attempts {
		g.Go(func() error {
			if err := attempt(); models.CodeOf(err) != models.CodeUnavailable {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		})
	}
	require.NoError(t, g.Wait())
}
