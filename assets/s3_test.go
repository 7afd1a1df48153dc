package assets

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// memoryS3 is the little of S3 that an asset store needs.
type memoryS3 struct {
	mu      sync.Mutex
	objects map[string][]byte
}

func (m *memoryS3) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	object, held := m.objects[r.URL.Path]
	switch {
	case r.Method == http.MethodPut && held && r.Header.Get("If-None-Match") == "*":
		s3Error(w, http.StatusPreconditionFailed, "PreconditionFailed")
	case r.Method == http.MethodPut:
		content, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get("Content-Encoding") == "aws-chunked" {
			s3Error(w, http.StatusNotImplemented, "NotImplemented")
			return
		}
		m.objects[r.URL.Path] = content
		w.Header().Set("ETag", `"x"`)
	case r.URL.Query().Has("list-type"):
		fmt.Fprint(w, `<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>`)
	case !held:
		s3Error(w, http.StatusNotFound, "NoSuchKey")
	default:
		w.Header().Set("ETag", `"x"`)
		http.ServeContent(w, r, "", time.Unix(1, 0), bytes.NewReader(object))
	}
}

func s3Error(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, `<Error><Code>%s</Code></Error>`, code)
}

func openS3(t testing.TB, server *httptest.Server) *Bucket {
	t.Helper()
	b, err := Open(t.Context(), "s3://bucket?region=test&anonymous=true&use_path_style=true&endpoint="+server.URL+
		"&request_checksum_calculation=when_required&response_checksum_validation=when_required", t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	return b
}

func TestS3(t *testing.T) {
	t.Parallel()
	store := &memoryS3{objects: map[string][]byte{}}
	server := httptest.NewServer(store)
	t.Cleanup(server.Close)
	b := openS3(t, server)
	require.NoError(t, b.Ping(t.Context()))
	s := stage(t, b, strings.Repeat("content", 100))
	_, err := b.Open(t.Context(), 1, s.MD5())
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))

	require.NoError(t, s.Keep(t.Context(), 1))
	require.NoError(t, s.Keep(t.Context(), 1))
	require.Len(t, store.objects, 1)
	require.Equal(t, strings.Repeat("content", 100), string(read(t, t.Context(), b, 1, s.MD5())))

	r, err := b.Open(t.Context(), 1, s.MD5())
	require.NoError(t, err)
	defer r.Close()
	_, err = r.Seek(-7, io.SeekEnd)
	require.NoError(t, err)
	rest, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "content", string(rest))
}

func TestS3ThatIsAwayIsUnavailable(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s3Error(w, http.StatusForbidden, "AccessDenied")
	}))
	t.Cleanup(server.Close)
	b := openS3(t, server)
	s := stage(t, b, "content")
	for name, err := range map[string]error{
		"ping": b.Ping(t.Context()),
		"keep": s.Keep(t.Context(), 1),
		"open": func() error { _, err := b.Open(t.Context(), 1, s.MD5()); return err }(),
	} {
		require.Equal(t, models.CodeUnavailable, models.CodeOf(err), name)
	}
}
