package protocol

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFilesHaveALimit(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	n, err := copyUpTo(3, &out, strings.NewReader("abc"))
	require.NoError(t, err)
	require.Equal(t, int64(3), n)
	_, err = copyUpTo(3, io.Discard, strings.NewReader("abcd"))
	require.ErrorContains(t, err, "larger than 3 bytes")

	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1073741825")
	}))
	t.Cleanup(s.Close)
	_, err = Download(t.Context(), s.Client(), &Reply{}, Asset{URL: s.URL}, io.Discard)
	require.ErrorContains(t, err, "larger than 1073741824 bytes")
}
