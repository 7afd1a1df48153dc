package assets

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestOpenOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	b, _, _ := openLocal(t)
	for _, md5 := range []string{"0123456789abcdef0123456789abcdef", "../secret", ""} {
		_, err := b.Open(t.Context(), 1, md5)
		require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	}
}

func TestReaderServesRanges(t *testing.T) {
	t.Parallel()
	b, _, _ := openLocal(t)
	content := strings.Repeat("0123456789", 1000)
	s := stage(t, b, content)
	require.NoError(t, keep(t.Context(), s, 1))
	for header, want := range map[string]string{
		"":                  content,
		"bytes=0-9":         content[:10],
		"bytes=9995-":       content[9995:],
		"bytes=-3":          content[9997:],
		"bytes=500-10500":   content[500:],
		"bytes=10000-10001": "invalid range: failed to overlap\n",
	} {
		t.Run(header, func(t *testing.T) {
			t.Parallel()
			r, err := b.Open(t.Context(), 1, s.MD5())
			require.NoError(t, err)
			defer r.Close()
			request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			if header != "" {
				request.Header.Set("Range", header)
			}
			answer := httptest.NewRecorder()
			http.ServeContent(answer, request, "", time.Time{}, r)
			require.Equal(t, want, answer.Body.String())
		})
	}
}

func TestReaderSeeks(t *testing.T) {
	t.Parallel()
	b, _, _ := openLocal(t)
	s := stage(t, b, "0123456789")
	require.NoError(t, keep(t.Context(), s, 1))
	r, err := b.Open(t.Context(), 1, s.MD5())
	require.NoError(t, err)
	defer r.Close()
	for _, c := range []struct {
		offset   int64
		whence   int
		position int64
		rest     string
	}{{0, io.SeekEnd, 10, ""}, {0, io.SeekStart, 0, "0123456789"}, {-4, io.SeekCurrent, 6, "6789"}, {-1, io.SeekEnd, 9, "9"}} {
		position, err := r.Seek(c.offset, c.whence)
		require.NoError(t, err)
		require.Equal(t, c.position, position)
		rest, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, c.rest, string(rest))
	}
}
