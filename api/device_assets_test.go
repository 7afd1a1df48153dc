package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/models"
)

// encodedFile is a file that is stored with its variants.
type encodedFile struct {
	*testAPI
	bucketDir string
	content   string
	blob      models.Blob
	path      string
}

func withVariants(t *testing.T) *encodedFile {
	t.Helper()
	f := &encodedFile{bucketDir: t.TempDir(), content: strings.Repeat("a script repeats itself; ", 1000)}
	bucket, err := assets.Open(t.Context(), "file://"+f.bucketDir, t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, bucket.Close()) })
	staged, err := bucket.Stage(t.Context(), strings.NewReader(f.content), 1<<20)
	require.NoError(t, err)
	const contentType = "text/css"
	require.NoError(t, staged.Keep(t.Context(), demo.ID, contentType))
	variants, err := bucket.Compress(t.Context(), demo.ID, models.PendingFile{
		MD5: staged.MD5(), SHA256: staged.SHA256(), SizeBytes: staged.Size(), ContentType: contentType,
	})
	require.NoError(t, err)
	require.NoError(t, staged.Discard())
	f.blob = models.Blob{
		MD5: staged.MD5(), SHA256: staged.SHA256(), SizeBytes: staged.Size(), ContentType: contentType,
		GzipBytes: variants.GzipBytes, BrotliBytes: variants.BrotliBytes,
	}
	f.path = "/v1/ota/assets/" + f.blob.MD5 + "?project=demo"
	f.testAPI = newTestAPI(t, func(d *parts) {
		d.Assets = bucket
		d.Snapshots = newSnapshots(t, func(s *models.ProjectSnapshot) {
			s.Blobs, err = s.Blobs.With([]models.Blob{f.blob}, nil)
			require.NoError(t, err)
		})
	})
	return f
}

func (f *encodedFile) get(method, accept string, more ...string) *httptest.ResponseRecorder {
	f.t.Helper()
	header := map[string]string{}
	if accept != "" {
		header["Accept-Encoding"] = accept
	}
	for i := 0; i < len(more); i += 2 {
		header[more[i]] = more[i+1]
	}
	return f.do(asset(method, f.path, header))
}

func decodeBody(t *testing.T, answer *httptest.ResponseRecorder) string {
	t.Helper()
	var from io.Reader = answer.Body
	switch e := answer.Header().Get("Content-Encoding"); e {
	case "br":
		from = brotli.NewReader(from)
	case "gzip":
		var err error
		from, err = gzip.NewReader(from)
		require.NoError(t, err)
	default:
		require.Empty(t, e)
	}
	content, err := io.ReadAll(from)
	require.NoError(t, err)
	return string(content)
}

func TestAFileComesInTheEncodingThatTheClientLikes(t *testing.T) {
	t.Parallel()
	f := withVariants(t)
	etags := map[string]bool{}
	for accept, want := range map[string]models.Encoding{
		"": models.Identity, "zstd, br, gzip": models.Brotli, "gzip, deflate": models.Gzip, "zstd": models.Identity,
		"br;q=0": models.Identity, "identity;q=0": models.Identity,
	} {
		for _, method := range []string{get, head} {
			answer := f.get(method, accept)
			require.Equal(t, 200, answer.Code)
			header := answer.Header()
			require.Equal(t, string(want), header.Get("Content-Encoding"), accept)
			size, _ := f.blob.Size(want)
			require.Equal(t, strconv.FormatInt(size, 10), header.Get("Content-Length"), accept)
			require.Equal(t, "text/css", header.Get("Content-Type"))
			require.Equal(t, []string{"Accept-Encoding"}, header.Values("Vary"))
			require.Equal(t, "public, max-age=31536000, immutable", header.Get("Cache-Control"))
			require.Contains(t, header.Get("Content-Security-Policy"), "sandbox")
			require.Regexp(t, `^"[^"]+"$`, header.Get("ETag"), "a strong one")
			etags[header.Get("ETag")] = true
			if method == head {
				require.Zero(t, answer.Body.Len())
				continue
			}
			require.Equal(t, size, int64(answer.Body.Len()))
			require.Equal(t, f.content, decodeBody(t, answer))
		}
	}
	require.Len(t, etags, 3, "one for each encoding")
}

func TestAnEncodedFileIsNotSentTwice(t *testing.T) {
	t.Parallel()
	f := withVariants(t)
	first := f.get(get, "br").Header().Get("ETag")
	same := f.get(get, "br", "If-None-Match", first)
	require.Equal(t, http.StatusNotModified, same.Code)
	require.Zero(t, same.Body.Len())
	require.Equal(t, first, same.Header().Get("ETag"))
	require.Equal(t, "Accept-Encoding", same.Header().Get("Vary"))
	require.Empty(t, same.Header().Get("Content-Length"))
	require.Equal(t, http.StatusNotModified, f.get(get, "br", "If-None-Match", "*").Code)
	require.Equal(t, 200, f.get(get, "gzip", "If-None-Match", first).Code, "these are other bytes")
	require.Equal(t, 200, f.get(get, "", "If-None-Match", first).Code)
}

func TestPartsAreOfTheFileOrOfTheVariantThatIsNamed(t *testing.T) {
	t.Parallel()
	f := withVariants(t)
	whole := f.get(get, "br")
	for name, c := range map[string]struct {
		more     []string
		encoding string
		want     string
	}{
		"of the file, whatever the client could decode": {[]string{"Range", "bytes=2-7"}, "", f.content[2:8]},
		"of the file that it names":                     {[]string{"Range", "bytes=-5", "If-Range", `"` + f.blob.SHA256 + `"`}, "", f.content[len(f.content)-5:]},
		"of the variant that it has the rest of":        {[]string{"Range", "bytes=9-", "If-Range", whole.Header().Get("ETag")}, "br", whole.Body.String()[9:]},
	} {
		answer := f.get(get, "br, gzip", c.more...)
		require.Equal(t, http.StatusPartialContent, answer.Code, name)
		require.Equal(t, c.want, answer.Body.String(), name)
		require.Equal(t, c.encoding, answer.Header().Get("Content-Encoding"), name)
		require.Equal(t, strconv.Itoa(len(c.want)), answer.Header().Get("Content-Length"), name)
	}
	other := f.get(get, "br", "Range", "bytes=0-3", "If-Range", `"of something else"`)
	require.Equal(t, 200, other.Code)
	require.Equal(t, f.content, other.Body.String())
	for _, none := range []string{"bytes=999999-", "bytes=7-2", "bytes=x"} {
		refused := f.get(get, "br", "Range", none)
		f.problem(refused, http.StatusRequestedRangeNotSatisfiable, "range_not_satisfiable")
		require.Empty(t, refused.Header().Get("ETag"), "it is not the file")
	}
	beyond := f.get(get, "br", "Range", "bytes=999999-")
	require.Equal(t, "bytes */"+strconv.Itoa(len(f.content)), beyond.Header().Get("Content-Range"))
	foreign := f.get(get, "br", "Range", "lines=1-2")
	require.Equal(t, 200, foreign.Code, "a unit that means nothing here")
	require.Equal(t, whole.Header().Get("ETag"), foreign.Header().Get("ETag"))
	looked := f.get(head, "br", "Range", "bytes=0-3", "If-Range", whole.Header().Get("ETag"))
	require.Equal(t, 200, looked.Code, "a part means nothing but for GET")
}

func TestAFileWhoseVariantIsLostIsServedAsItIs(t *testing.T) {
	t.Parallel()
	f := withVariants(t)
	require.NoError(t, os.Remove(filepath.Join(f.bucketDir, "projects", strconv.FormatInt(demo.ID, 10), f.blob.MD5[:2], f.blob.MD5+".br")))
	answer := f.get(get, "br, gzip")
	require.Equal(t, 200, answer.Code)
	require.Equal(t, f.content, decodeBody(t, answer))
	require.Equal(t, `"`+f.blob.SHA256+`"`, answer.Header().Get("ETag"))
}

// signer redirects devices to another host.
type signer struct {
	fakeAssets
	err error
}

func (s signer) SignedURL(_ context.Context, projectID int64, md5 string, e models.Encoding, contentType string, life time.Duration) (string, error) {
	return "https://bucket.example.com/" + strings.Join([]string{strconv.FormatInt(projectID, 10), md5, string(e), contentType, life.String()}, "/"), s.err
}

func TestDevicesAreSentToTheBucket(t *testing.T) {
	t.Parallel()
	stored := withVariants(t)
	redirecting := func(s signer) *encodedFile {
		return &encodedFile{path: stored.path, testAPI: newTestAPI(t, func(d *parts) {
			d.Assets, d.AssetRedirect, d.Snapshots = s, 15*time.Minute, stored.deps.Snapshots
		})}
	}
	f := redirecting(signer{})
	for accept, e := range map[string]string{"zstd, br, gzip": "br", "gzip": "gzip", "": ""} {
		answer := f.get(get, accept)
		require.Equal(t, http.StatusFound, answer.Code)
		header := answer.Header()
		require.Equal(t, "https://bucket.example.com/"+strconv.FormatInt(demo.ID, 10)+"/"+stored.blob.MD5+"/"+e+"/text/css/15m0s", header.Get("Location"))
		require.Equal(t, "private, no-store", header.Get("Cache-Control"))
		require.Equal(t, "Accept-Encoding", header.Get("Vary"))
		require.Empty(t, header.Get("ETag"))
		require.Empty(t, header.Get("Content-Encoding"))
		require.Zero(t, answer.Body.Len())
	}
	require.Contains(t, f.get(get, "br", "Range", "bytes=0-3").Header().Get("Location"), "//text/css", "a part of the file as it is")
	f.path = "/v1/ota/assets/" + strings.Repeat("0", 32) + "?project=demo"
	f.problem(f.get(get, "br"), 404, models.CodeNotFound)
	broken := redirecting(signer{err: models.Unavailable("the asset store", errors.New("away"))})
	broken.problem(broken.get(get, "br"), 503, models.CodeUnavailable)
}
