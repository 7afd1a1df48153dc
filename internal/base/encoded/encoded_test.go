package encoded_test

import (
	"bytes"
	"crypto/rand"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/base/encoded"
	"github.com/waft-ota/waft/models"
)

func TestVariantsAreTheContent(t *testing.T) {
	t.Parallel()
	text := []byte(strings.Repeat(`{"key":"a flag","enabled":true},`, 500))
	c := encoded.New(text)
	require.Equal(t, text, c.In(models.Identity))
	unzip, err := gzip.NewReader(bytes.NewReader(c.In(models.Gzip)))
	require.NoError(t, err)
	for e, from := range map[models.Encoding]io.Reader{
		models.Gzip: unzip, models.Brotli: brotli.NewReader(bytes.NewReader(c.In(models.Brotli))),
	} {
		decoded, err := io.ReadAll(from)
		require.NoError(t, err)
		require.Equal(t, text, decoded, e)
		size, ok := c.Size(e)
		require.True(t, ok)
		require.Less(t, size, int64(len(text)/10))
		require.Same(t, &c.In(e)[0], &c.In(e)[0], "it is made once")
	}
}

// A large content is compressed in many parts, with a rest after each of them.
func TestLargeContentsAreCompressedInParts(t *testing.T) {
	t.Parallel()
	text := []byte(strings.Repeat(`{"key":"a flag","enabled":true},`, 20_000))
	c, rests := encoded.New(text), 0
	c.Prepare(func() { rests++ })
	require.GreaterOrEqual(t, rests, 2*len(text)/8192)
	decoded, err := io.ReadAll(brotli.NewReader(bytes.NewReader(c.In(models.Brotli))))
	require.NoError(t, err)
	require.Equal(t, text, decoded)
}

func TestWhatDoesNotGetSmallerHasNoVariants(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 4096)
	_, _ = rand.Read(noise)
	for _, content := range [][]byte{nil, []byte(strings.Repeat("a", 1000)), noise} {
		c := encoded.New(content)
		for _, e := range models.CompressedEncodings {
			_, ok := c.Size(e)
			require.False(t, ok)
		}
		size, ok := c.Size(models.Identity)
		require.True(t, ok)
		require.Len(t, content, int(size))
	}
}
