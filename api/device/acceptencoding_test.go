package device

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/models"
)

// encodedBlob returns a file with both variants; Brotli's is the smaller one.
func encodedBlob() models.Blob {
	gzip, brotli := int64(50), int64(40)
	return models.Blob{SizeBytes: 100, GzipBytes: &gzip, BrotliBytes: &brotli}
}

func TestTheBestEncodingIsChosen(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]models.Encoding{
		// Headers that clients send.
		"zstd, br, gzip":    models.Brotli,
		"br, gzip":          models.Brotli,
		"gzip, deflate, br": models.Brotli,
		"gzip":              models.Gzip,
		"gzip, deflate":     models.Gzip,
		"identity":          models.Identity,
		"":                  models.Identity,
		"zstd":              models.Identity,
		"deflate, compress": models.Identity,
		// Weights.
		"br;q=0.5, gzip;q=0.8":        models.Gzip,
		"br;q=0.5, gzip;q=0.5":        models.Brotli,
		"gzip;q=0.001":                models.Gzip,
		"br;q=0, gzip":                models.Gzip,
		"br;q=0.0, gzip;q=0.000":      models.Identity,
		"gzip;q=0.5, identity":        models.Identity,
		"gzip;q=0.5, identity;q=0.4":  models.Gzip,
		"br;q=1.000, gzip;q=1":        models.Brotli,
		"identity;q=0":                models.Identity,
		"identity;q=0, gzip;q=0.1":    models.Gzip,
		"zstd;q=1, gzip;q=0.3, *;q=0": models.Gzip,
		"*;q=0":                       models.Identity,
		"*":                           models.Brotli,
		"*, br;q=0":                   models.Gzip,
		"*;q=0.1, identity;q=0.9":     models.Identity,
		"gzip;q=0.4, *;q=0.5":         models.Brotli,
		// Variants of the syntax.
		"GZIP":                   models.Gzip,
		" gzip ;\tQ=0.5 ,\tfoo ": models.Gzip,
		"gzip,,br;q=0.1,":        models.Gzip,
		"gzip;q=1, gzip;q=0":     models.Identity,
		// Malformed elements are ignored.
		"br;q=2, gzip;q=0.1":     models.Gzip,
		"br;q=-1":                models.Identity,
		"br;q=0x1p-1":            models.Identity,
		"br;q=NaN":               models.Identity,
		"br;q=":                  models.Identity,
		"br;q=0.1234":            models.Identity,
		"br;level=3":             models.Identity,
		"br;q=1;q=0":             models.Identity,
		"br gzip":                models.Identity,
		"brotli, x-gzip":         models.Identity,
		"\x00\xff":               models.Identity,
		strings.Repeat("br;", 9): models.Identity,
	} {
		require.Equal(t, want, readAcceptEncoding([]string{header}).choose(encodedBlob()), "%q", header)
	}
	require.Equal(t, models.Identity, readAcceptEncoding(nil).choose(encodedBlob()))
	require.Equal(t, models.Gzip, readAcceptEncoding([]string{"br;q=0.1", "gzip"}).choose(encodedBlob()), "of several lines")
}

func TestWhatIsNotStoredIsNotChosen(t *testing.T) {
	t.Parallel()
	small := int64(1)
	require.Equal(t, models.Identity, readAcceptEncoding([]string{"br, gzip"}).choose(models.Blob{SizeBytes: 100}))
	require.Equal(t, models.Gzip, readAcceptEncoding([]string{"br, gzip"}).choose(models.Blob{SizeBytes: 100, GzipBytes: &small}))
	b := encodedBlob()
	b.GzipBytes = &small
	require.Equal(t, models.Gzip, readAcceptEncoding([]string{"br, gzip"}).choose(b), "the smaller one")
}

// TestNothingUnlistedIsSent checks, for every header, that it lists the chosen encoding by name or as *, and not with
// the weight 0.
func TestNothingUnlistedIsSent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entry := rapid.Custom(func(t *rapid.T) string {
			coding := rapid.SampledFrom([]string{"br", "gzip", "zstd", "identity", "*", "deflate", "Br", "x"}).Draw(t, "coding")
			return coding + rapid.SampledFrom([]string{"", ";q=0", ";q=0.5", "; q=1", ";q=nonsense"}).Draw(t, "weight")
		})
		header := strings.Join(rapid.SliceOf(entry).Draw(t, "entries"), ",")
		chosen := readAcceptEncoding([]string{header}).choose(encodedBlob())
		if chosen == models.Identity {
			return
		}
		listed := strings.ToLower(header)
		require.True(t, strings.Contains(listed, string(chosen)) || strings.Contains(listed, "*"), "%q for %q", chosen, header)
		require.NotZero(t, readAcceptEncoding([]string{header}).of(chosen))
	})
}
