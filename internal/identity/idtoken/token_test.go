package idtoken_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/guard/outbound"
	"github.com/waft-ota/waft/internal/identity/idtoken"
	"github.com/waft-ota/waft/internal/identity/idtoken/idtokentest"
	"github.com/waft-ota/waft/models"
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "waft-idtoken-")
	if err == nil {
		err = idtokentest.Trust(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

const audience = "https://ota.example.com"

// bench verifies tokens of one issuer by a clock that does not advance.
type bench struct {
	*idtokentest.Issuer
	t   *testing.T
	now time.Time
	idtoken.Verifier
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{Issuer: idtokentest.New(t), t: t, now: time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)}
	allowed, err := outbound.ParseAllowed([]string{"127.0.0.1"})
	require.NoError(t, err)
	issuers := idtoken.NewIssuers(outbound.Targets{Allowed: allowed}, func() time.Time { return b.now })
	t.Cleanup(issuers.Close)
	b.Verifier = idtoken.Verifier{Keys: issuers, Now: func() time.Time { return b.now }}
	return b
}

func (b *bench) verify(raw string) (idtoken.Verified, error) {
	b.t.Helper()
	u, err := idtoken.Parse(raw)
	if err != nil {
		return idtoken.Verified{}, err
	}
	return b.Verify(b.t.Context(), u)
}

func (b *bench) claims(more map[string]any) map[string]any { return b.Claims(audience, b.now, more) }

func TestAGoodToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v, err := b.verify(b.Sign(b.claims(map[string]any{"repository": "acme/app"})))
	require.NoError(t, err)
	require.Equal(t, "acme/app", v.Claims["repository"])
	require.Equal(t, b.now.Add(5*time.Minute), v.ExpiresAt.UTC())
	_, err = b.verify(b.Sign(b.claims(map[string]any{"aud": []string{audience}, "nbf": nil})))
	require.NoError(t, err)
	b.RotateToECDSA()
	_, err = b.verify(b.Sign(b.claims(nil)))
	require.NoError(t, err)
	require.Equal(t, 2, b.Fetches())
}

// TestOneTokenHasOneDigest: of a token others can be made that are as valid, by writing its signature or its encoding
// in another way.
func TestOneTokenHasOneDigest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.RotateToECDSA()
	raw := b.Sign(b.claims(nil))
	first, err := b.verify(raw)
	require.NoError(t, err)
	parts := strings.Split(raw, ".")
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	require.NoError(t, err)
	order := b.Key().Key.(*ecdsa.PrivateKey).Params().N
	s := new(big.Int).Sub(order, new(big.Int).SetBytes(signature[32:]))
	other := base64.RawURLEncoding.EncodeToString(append(signature[:32:32], s.FillBytes(make([]byte, 32))...))
	twin := parts[0] + "." + parts[1] + "." + other
	require.NotEqual(t, raw, twin)
	second, err := b.verify(twin)
	require.NoError(t, err)
	require.Equal(t, first.Digest, second.Digest)
	again, err := b.verify(b.Sign(b.claims(nil)))
	require.NoError(t, err)
	require.NotEqual(t, first.Digest, again.Digest)
}

func TestTokensThatAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := func(d time.Duration) int64 { return b.now.Add(d).Unix() }
	for why, more := range map[string]map[string]any{
		"expired":                {"exp": at(-idtoken.Leeway - time.Second)},
		"without an expiry":      {"exp": nil},
		"not yet valid":          {"nbf": at(idtoken.Leeway + time.Second)},
		"with a strange nbf":     {"nbf": "soon"},
		"issued in the future":   {"iat": at(idtoken.Leeway + time.Second)},
		"without its issue":      {"iat": nil},
		"valid for too long":     {"exp": at(idtoken.MaxLife + time.Second)},
		"for nobody":             {"aud": nil},
		"for several":            {"aud": []string{audience, "sts.amazonaws.com"}},
		"for a strange audience": {"aud": []int{1}},
		"without an issuer":      {"iss": nil},
	} {
		_, err := b.verify(b.Sign(b.claims(more)))
		require.Error(t, err, why)
		require.Equal(t, models.CodeInternal, models.CodeOf(err), "%s is for the log: %v", why, err)
	}
	for why, more := range map[string]map[string]any{
		"just expired": {"exp": at(-idtoken.Leeway)}, "a clock that is ahead": {"nbf": at(idtoken.Leeway), "iat": at(idtoken.Leeway)},
	} {
		_, err := b.verify(b.Sign(b.claims(more)))
		require.NoError(t, err, why)
	}
}

// TestForgedTokens: none of these takes the private key.
func TestForgedTokens(t *testing.T) {
	t.Parallel()
	b := setup(t)
	good := b.Sign(b.claims(nil))
	_, err := b.verify(good)
	require.NoError(t, err)
	parts := strings.Split(good, ".")
	encode := func(v any) string {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		return base64.RawURLEncoding.EncodeToString(text)
	}
	key := b.Key()
	public := key.Public().Key.(*rsa.PublicKey)
	der, err := x509.MarshalPKIXPublicKey(public)
	require.NoError(t, err)
	own, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	forged := map[string]string{
		"without a signature":    encode(map[string]any{"alg": "none", "kid": key.KeyID}) + "." + parts[1] + ".",
		"none in capitals":       encode(map[string]any{"alg": "NONE", "kid": key.KeyID}) + "." + parts[1] + ".",
		"an empty signature":     parts[0] + "." + parts[1] + ".",
		"other claims":           parts[0] + "." + encode(b.claims(map[string]any{"repository": "acme/app"})) + "." + parts[2],
		"signed with another":    idtokentest.SignWith(t, jose.RS256, jose.JSONWebKey{Key: own, KeyID: key.KeyID}, b.claims(nil)),
		"HMAC of the public key": idtokentest.SignWith(t, jose.HS256, jose.JSONWebKey{Key: der, KeyID: key.KeyID}, b.claims(nil)),
		"another algorithm":      idtokentest.SignWith(t, jose.PS256, jose.JSONWebKey{Key: key.Key, KeyID: key.KeyID}, b.claims(nil)),
		"an unknown key":         idtokentest.SignWith(t, jose.RS256, jose.JSONWebKey{Key: own, KeyID: "mine"}, b.claims(nil)),
		"no key id":              idtokentest.SignWith(t, jose.RS256, own, b.claims(nil)),
		"a long key id":          idtokentest.SignWith(t, jose.RS256, jose.JSONWebKey{Key: own, KeyID: strings.Repeat("k", 300)}, b.claims(nil)),
		"as JSON":                fmt.Sprintf(`{"protected":%q,"payload":%q,"signature":%q}`, parts[0], parts[1], parts[2]),
		"cut off":                good[:len(good)/2], "empty": "", "three dots": "...", "no JSON": "e30.bm90.e30",
	}
	embedded, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: own}, &jose.SignerOptions{EmbedJWK: true})
	require.NoError(t, err)
	payload, err := json.Marshal(b.claims(nil))
	require.NoError(t, err)
	signed, err := embedded.Sign(payload)
	require.NoError(t, err)
	forged["the key in the header"], err = signed.CompactSerialize()
	require.NoError(t, err)
	for why, raw := range forged {
		b.now = b.now.Add(10 * time.Second) // so that unknown keys may be looked up again
		_, err := b.verify(raw)
		require.Error(t, err, why)
		require.Equal(t, models.CodeInternal, models.CodeOf(err), "%s: %v", why, err)
	}
}

func TestKeysAreKeptAndRotate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old := b.Key()
	for range 5 {
		_, err := b.verify(b.Sign(b.claims(nil)))
		require.NoError(t, err)
	}
	require.Equal(t, 1, b.Fetches())
	b.Rotate()
	oldToken := idtokentest.SignWith(t, jose.RS256, old, b.claims(nil))
	_, err := b.verify(oldToken)
	require.NoError(t, err, "the old key is kept for a time")
	_, err = b.verify(b.Sign(b.claims(nil)))
	require.NoError(t, err, "the new key is accepted at once")
	require.Equal(t, 2, b.Fetches())
	_, err = b.verify(oldToken)
	require.ErrorContains(t, err, "has no key")

	// Also without a token of the new key, a key that is withdrawn is refused soon.
	before := b.Key()
	b.Rotate()
	b.now = b.now.Add(5*time.Minute + time.Second)
	_, err = b.verify(idtokentest.SignWith(t, jose.RS256, before, b.claims(nil)))
	require.ErrorContains(t, err, "has no key")
}

func TestUnknownKeysAreLookedUpRarely(t *testing.T) {
	t.Parallel()
	b := setup(t)
	own, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	limited := 0
	for i := range 50 {
		_, err := b.verify(idtokentest.SignWith(t, jose.RS256, jose.JSONWebKey{Key: own, KeyID: strconv.Itoa(i)}, b.claims(nil)))
		require.Error(t, err)
		if models.CodeOf(err) == models.CodeRateLimited {
			limited++
		}
	}
	require.Equal(t, 3, b.Fetches())
	require.Equal(t, 47, limited)
	_, err = b.verify(b.Sign(b.claims(nil)))
	require.NoError(t, err, "known keys are not affected")
	b.now = b.now.Add(10 * time.Second)
	b.Rotate()
	_, err = b.verify(b.Sign(b.claims(nil)))
	require.NoError(t, err)
}

// redirects returns a correct issuer that redirects the path to another path with the content.
func (b *bench) redirects(path string) http.HandlerFunc {
	key := b.Key()
	keys := jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key.Public()}}
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path && !r.URL.Query().Has("redirected") {
			http.Redirect(w, r, b.URL+path+"?redirected", http.StatusFound)
			return
		}
		b.Answer(w, r, keys)
	}
}

// TestIssuersThatCannotBeRead: it is not known whether the token is good, so it is not refused.
func TestIssuersThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for why, answer := range map[string]func(b *bench) http.HandlerFunc{
		"it fails": func(*bench) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }
		},
		"its document is elsewhere": func(b *bench) http.HandlerFunc { return b.redirects(idtokentest.DocumentPath) },
		"its keys are elsewhere":    func(b *bench) http.HandlerFunc { return b.redirects(idtokentest.KeysPath) },
		"it has no keys URL": func(b *bench) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, `{"issuer": %q}`, b.URL) }
		},
		"its keys are elsewhere, on plain http": func(b *bench) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprintf(w, `{"issuer": %q, "jwks_uri": %q}`, b.URL, "http"+strings.TrimPrefix(b.URL, "https"))
			}
		},
		"it says to be another": func(*bench) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"issuer": "https://other.example.com"}`) }
		},
		"its keys are too many": func(b *bench) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != idtokentest.KeysPath {
					b.Answer(w, r, jose.JSONWebKeySet{})
					return
				}
				_, _ = w.Write(append([]byte(`{"keys":[`), bytes.Repeat([]byte(" "), 1<<20)...)) // the client stops reading
			}
		},
	} {
		t.Run(why, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.Answers(answer(b))
			_, err := b.verify(b.Sign(b.claims(nil)))
			require.Equal(t, models.CodeUnavailable, models.CodeOf(err), err)
			b.Answers(nil)
			_, err = b.verify(b.Sign(b.claims(nil)))
			require.NoError(t, err, "it is asked again")
		})
	}
}

func TestIssuersInPrivateNetworks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	issuers := idtoken.NewIssuers(outbound.Targets{Setting: "WAFT_ISSUER_ALLOWED_NETWORKS"}, func() time.Time { return b.now })
	t.Cleanup(issuers.Close)
	b.Keys = issuers
	_, err := b.verify(b.Sign(b.claims(nil)))
	require.Equal(t, models.CodeUnavailable, models.CodeOf(err))
	require.ErrorContains(t, err, "WAFT_ISSUER_ALLOWED_NETWORKS does not allow")
	var refused *models.Error
	require.ErrorAs(t, err, &refused)
	require.NotContains(t, refused.Message, "127.0.0.1")
	require.Zero(t, b.Fetches())
}

// TestOddKeysAreIgnored: an issuer may show keys that Waft cannot use, or should not.
func TestOddKeysAreIgnored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := b.Key()
	weak, err := rsa.GenerateKey(rand.Reader, 1024)
	require.NoError(t, err)
	public, err := json.Marshal(key.Public())
	require.NoError(t, err)
	small, err := json.Marshal(jose.JSONWebKey{Key: &weak.PublicKey, KeyID: "weak"})
	require.NoError(t, err)
	encryption := key.Public()
	encryption.KeyID, encryption.Use = "encryption", "enc"
	other, err := json.Marshal(encryption)
	require.NoError(t, err)
	b.Answers(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != idtokentest.KeysPath {
			b.Answer(w, r, jose.JSONWebKeySet{})
			return
		}
		fmt.Fprintf(w, `{"keys": [{"kty": "new-kind"}, {"kty": "oct", "kid": "shared", "k": "c2VjcmV0"}, 7, %s, %s, %s]}`, small, other, public)
	})
	_, err = b.verify(b.Sign(b.claims(nil)))
	require.NoError(t, err)
	for _, id := range []string{"shared", "weak", "encryption"} {
		b.now = b.now.Add(10 * time.Second)
		found, err := b.Keys.Keys(t.Context(), b.URL, id, "RS256")
		require.NoError(t, err)
		require.Empty(t, found, id)
	}
}
