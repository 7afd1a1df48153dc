// Package idtokentest has an issuer of ID tokens for tests.
package idtokentest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Issuer is an OpenID Connect issuer in this process, whose keys rotate.
type Issuer struct {
	*httptest.Server
	t testing.TB

	mu      sync.Mutex
	key     jose.JSONWebKey // with the private part
	shown   []jose.JSONWebKey
	number  int
	fetches int
	answer  http.HandlerFunc
}

// Paths of an issuer.
const (
	DocumentPath = "/.well-known/openid-configuration"
	KeysPath     = "/keys"
)

// Trust makes this process and its child processes trust the certificates of httptest, as an operator does with a private certificate
// authority. Call it before the first TLS connection; dir is a folder that the tests remove.
func Trust(dir string) error {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	file := filepath.Join(dir, "authority.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	return os.Setenv("SSL_CERT_FILE", file)
}

// New starts an issuer with one RSA key.
func New(t testing.TB) *Issuer {
	t.Helper()
	i := &Issuer{t: t}
	i.Server = httptest.NewTLSServer(http.HandlerFunc(i.serve))
	t.Cleanup(i.Close)
	i.Rotate()
	return i
}

func (i *Issuer) serve(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	answer, shown := i.answer, jose.JSONWebKeySet{Keys: i.shown}
	if r.URL.Path == DocumentPath {
		i.fetches++
	}
	i.mu.Unlock()
	if answer != nil {
		answer(w, r)
		return
	}
	i.Answer(w, r, shown)
}

// Answer writes the response of an issuer that has the keys.
func (i *Issuer) Answer(w http.ResponseWriter, r *http.Request, keys jose.JSONWebKeySet) {
	w.Header().Set("Content-Type", "application/json")
	var body any = keys
	switch r.URL.Path {
	case DocumentPath:
		body = map[string]string{"issuer": i.URL, "jwks_uri": i.URL + KeysPath}
	case KeysPath:
	default:
		w.WriteHeader(http.StatusNotFound)
	}
	if err := json.NewEncoder(w).Encode(body); err != nil {
		i.t.Error(err)
	}
}

// Answers replaces the handler of the issuer; nil restores the original handler.
func (i *Issuer) Answers(answer http.HandlerFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.answer = answer
}

// Fetches counts how often the keys were fetched.
func (i *Issuer) Fetches() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.fetches
}

// Rotate replaces the key by a new one, which alone is shown from then on.
func (i *Issuer) Rotate() {
	i.t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		i.t.Fatal(err)
	}
	i.use(key, jose.RS256)
}

// RotateToECDSA rotates the key like Rotate, but to an ECDSA key.
func (i *Issuer) RotateToECDSA() {
	i.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		i.t.Fatal(err)
	}
	i.use(key, jose.ES256)
}

func (i *Issuer) use(key crypto.Signer, algorithm jose.SignatureAlgorithm) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.number++
	i.key = jose.JSONWebKey{Key: key, KeyID: fmt.Sprintf("key-%d", i.number), Algorithm: string(algorithm), Use: "sig"}
	i.shown = []jose.JSONWebKey{i.key.Public()}
}

// Key returns the private key with its ID and its algorithm.
func (i *Issuer) Key() jose.JSONWebKey {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.key
}

// Claims returns the claims of a token issued to audience at the given time, merged with more. A nil value in more removes that claim.
func (i *Issuer) Claims(audience string, at time.Time, more map[string]any) map[string]any {
	claims := map[string]any{
		"iss": i.URL, "aud": audience, "sub": "repo:acme/app:ref:refs/heads/main", "jti": rand.Text(),
		"iat": at.Unix(), "nbf": at.Unix(), "exp": at.Add(5 * time.Minute).Unix(),
	}
	maps.Copy(claims, more)
	for name, value := range claims {
		if value == nil {
			delete(claims, name)
		}
	}
	return claims
}

// Sign makes a token with the issuer's key.
func (i *Issuer) Sign(claims map[string]any) string {
	i.t.Helper()
	key := i.Key()
	return SignWith(i.t, jose.SignatureAlgorithm(key.Algorithm), key, claims)
}

// SignWith makes a token with another key.
func SignWith(t testing.TB, algorithm jose.SignatureAlgorithm, key any, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, nil)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		t.Fatal(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}
