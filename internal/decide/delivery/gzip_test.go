package delivery

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"
)

func TestAcceptsGzip(t *testing.T) {
	t.Parallel()
	for header, accepts := range map[string]bool{
		"gzip": true, "br,gzip": true, "gzip, deflate, br": true, "deflate, GZIP;q=0.1": true, "br;q=1.0, gzip;q=0.9, deflate;q=0.8": true,
		"br": false, "identity": false, "gzip;q=0": false, "*": false, "gzip;level=9": false, strings.Repeat("x,", 5000) + "gzip": false,
	} {
		require.Equal(t, accepts, acceptsGzip([]string{header}), header)
	}
	require.False(t, acceptsGzip(nil))
	require.True(t, acceptsGzip([]string{"br", "gzip"}))
}

// A device that accepts gzip gets the manifest compressed. Every device gets the same bytes, which decode to the
// plain manifest.
func TestAManifestIsCompressedOnce(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.publish("production")
	for id := range tp.state.Builds {
		tp.state.Builds[id].ClientConfig = []byte(`{"name":"` + strings.Repeat("an app, ", 200) + `"}`)
	}
	s := tp.snapshot(t)
	answer := func(gzip bool) (Response, http.Header) {
		r := ask("d")
		r.Gzip = gzip
		res := s.Respond(r)
		h := http.Header{}
		res.SetHeader(h)
		require.Equal(t, strconv.Itoa(len(res.Body.text())), h.Get("Content-Length"))
		require.Equal(t, "Accept-Encoding", h.Get("Vary"))
		return res, h
	}
	plain, h := answer(false)
	require.Empty(t, h.Get("Content-Encoding"))
	zipped, h := answer(true)
	require.Equal(t, "gzip", h.Get("Content-Encoding"))
	require.Less(t, len(zipped.Body.text()), len(plain.Body.text())/2)
	from, err := gzip.NewReader(strings.NewReader(zipped.Body.text()))
	require.NoError(t, err)
	decoded, err := io.ReadAll(from)
	require.NoError(t, err)
	require.True(t, bytes.Equal([]byte(plain.Body.text()), decoded))
	again, _ := answer(true)
	require.Same(t, &zipped.Body[0][0], &again.Body[0][0])
}

func TestASmallAnswerIsNotCompressed(t *testing.T) {
	t.Parallel()
	s, r := newTestProject().snapshot(t), ask("d")
	r.Gzip = true
	h := http.Header{}
	s.Respond(r).SetHeader(h)
	require.Empty(t, h.Get("Content-Encoding"))
	require.Empty(t, h.Get("Vary"))
}
