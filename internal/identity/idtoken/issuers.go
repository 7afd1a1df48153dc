package idtoken

import (
	"context"
	"crypto"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/internal/guard/outbound"
	"github.com/waft-ota/waft/models"
)

const (
	// timeout bounds each request to an issuer; a fetch has two.
	timeout = 5 * time.Second
	// maxAnswer is the maximum number of bytes of a response that are read.
	maxAnswer = 256 << 10
	// maxKeys is the maximum number of keys of an issuer. Further keys are ignored.
	maxKeys = 100
	// keysKept is how long keys are used before they are fetched again. It is short, so that a withdrawn key is refused soon.
	keysKept = 5 * time.Minute
	// fetchEvery and fetchBurst bound how often the keys of one issuer are fetched, whatever tokens name.
	fetchEvery = 10 * time.Second
	fetchBurst = 3
	// maxIssuers limits the number of remembered issuers to twice maxIssuers. The least recently used issuers are forgotten.
	maxIssuers = 1000
	// maxFetches is how many issuers are asked at the same time.
	maxFetches = 32
	// RSA keys of other sizes are ignored: shorter ones are weak, and longer ones cost too much to verify with.
	minRSA, maxRSA = 2048, 8192
	// maxCause is the maximum length of the part of an issuer's response that is logged.
	maxCause = 300
)

// Issuers fetches the keys of issuers and keeps them. It is safe for concurrent use.
type Issuers struct {
	http    *http.Client
	now     func() time.Time
	fetches singleflight.Group
	slots   *semaphore.Weighted

	mu      sync.Mutex
	issuers *cache.Generations[string, *issuer]
}

// issuer contains the remembered keys of one issuer.
type issuer struct {
	limit *rate.Limiter

	mu      sync.Mutex
	keys    []jose.JSONWebKey
	fetched time.Time
	err     error // of the last fetch
}

// NewIssuers returns a cache without keys. Issuers are fetched from the targets only.
func NewIssuers(targets outbound.Targets, now func() time.Time) *Issuers {
	return &Issuers{
		now: now, slots: semaphore.NewWeighted(maxFetches), issuers: cache.New[string, *issuer](maxIssuers, 0),
		http: &http.Client{
			Timeout: timeout, CheckRedirect: outbound.NoRedirect,
			Transport: outbound.BodyLimit{Inner: outbound.NewTransport(targets, timeout), Bytes: maxAnswer},
		},
	}
}

// Close ends idle connections.
func (s *Issuers) Close() { s.http.CloseIdleConnections() }

// Keys returns the issuer's keys with the id for the algorithm. A key that is not known is looked for at the issuer.
func (s *Issuers) Keys(ctx context.Context, url, keyID, algorithm string) ([]crypto.PublicKey, error) {
	i := s.of(url)
	if found := i.find(keyID, algorithm, s.now()); len(found) > 0 {
		return found, nil
	}
	fetching := s.fetches.DoChan(url, func() (any, error) {
		// Not of the request: others may wait for it, too.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*timeout)
		defer cancel()
		return nil, s.refresh(ctx, url, i)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case done := <-fetching:
		if done.Err != nil {
			return nil, done.Err
		}
	}
	return i.find(keyID, algorithm, s.now()), nil
}

// of returns what is kept of an issuer.
func (s *Issuers) of(url string) *issuer {
	s.mu.Lock()
	defer s.mu.Unlock()
	own, ok := s.issuers.Get(url)
	if !ok {
		own = &issuer{limit: rate.NewLimiter(rate.Every(fetchEvery), fetchBurst)}
		s.issuers.Put(url, own)
	}
	return own
}

// find returns the keys that are not too old.
func (i *issuer) find(keyID, algorithm string, now time.Time) (found []crypto.PublicKey) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if now.Sub(i.fetched) > keysKept {
		return nil
	}
	for _, key := range i.keys {
		if key.KeyID == keyID && (key.Algorithm == "" || key.Algorithm == algorithm) {
			found = append(found, key.Key)
		}
	}
	return found
}

// refresh fetches the keys of an issuer, unless that was done too often.
func (s *Issuers) refresh(ctx context.Context, url string, i *issuer) error {
	if !i.limit.AllowN(s.now(), 1) {
		i.mu.Lock()
		defer i.mu.Unlock()
		if i.err != nil {
			return i.err
		}
		return &models.Error{
			Code: models.CodeRateLimited, RetryAfter: fetchEvery,
			Message: "the ID token names an unknown key, and the issuer's keys were fetched too often recently; wait before the next attempt",
		}
	}
	if !s.slots.TryAcquire(1) {
		return unreachable(errors.New("too many issuers are asked at the same time"))
	}
	defer s.slots.Release(1)
	keys, err := s.fetch(ctx, url)
	if err != nil {
		err = unreachable(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.err = err
	if err == nil {
		i.keys, i.fetched = keys, s.now()
	}
	return err
}

// unreachable returns the error for an issuer whose keys cannot be read.
func unreachable(err error) error {
	unavailable := models.Unavailable("the issuer of the ID token", errors.New(models.StorableText(err.Error(), maxCause)))
	unavailable.RetryAfter = fetchEvery
	if text, refused := outbound.Refused(err); refused {
		unavailable.Message = "the keys of the ID token's issuer cannot be fetched: " + text
	}
	return unavailable
}

// fetch reads the issuer's document and its keys.
func (s *Issuers) fetch(ctx context.Context, issuerURL string) ([]jose.JSONWebKey, error) {
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, s.http), issuerURL)
	if err != nil {
		return nil, err
	}
	var document struct {
		KeysURL string `json:"jwks_uri"`
	}
	if err := provider.Claims(&document); err != nil {
		return nil, err
	}
	at, err := url.Parse(document.KeysURL)
	if err != nil || at.Scheme != "https" || at.Host == "" || at.User != nil {
		return nil, errors.New("the issuer's jwks_uri is not an https URL")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, document.KeysURL, nil)
	if err != nil {
		return nil, err
	}
	answer, err := s.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the issuer's jwks_uri responds with %s", answer.Status)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	return parseKeys(body)
}

// parseKeys reads a JSON Web Key Set. Keys that cannot verify signatures are left out.
func parseKeys(body []byte) (keys []jose.JSONWebKey, err error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, fmt.Errorf("the issuer's keys: %w", err)
	}
	for _, raw := range set.Keys[:min(maxKeys, len(set.Keys))] {
		var key jose.JSONWebKey
		if json.Unmarshal(raw, &key) == nil && usable(key) {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

func usable(key jose.JSONWebKey) bool {
	if public, ok := key.Key.(*rsa.PublicKey); ok && (public.N.BitLen() < minRSA || public.N.BitLen() > maxRSA) {
		return false
	}
	return key.Valid() && key.IsPublic() && (key.Use == "" || key.Use == "sig")
}
