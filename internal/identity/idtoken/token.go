// Package idtoken verifies the ID tokens of CI systems: signed statements of an OpenID Connect issuer about the job that presents them.
// It does not store anything.
package idtoken

import (
	"context"
	"crypto"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"

	"github.com/waft-ota/waft/models"
)

const (
	// Leeway is the maximum error of an issuer's clock.
	Leeway = time.Minute
	// MaxLife is the maximum lifetime of a token. Tokens of GitLab are valid for as long as their job may run.
	MaxLife = 24 * time.Hour
	// maxKeyID bounds the id of a key, in bytes.
	maxKeyID = 256
)

// algorithms are the accepted signature algorithms. All are asymmetric, because with a symmetric algorithm everybody who can verify a
// token could also create one.
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.ES256, jose.ES384, jose.ES512, jose.PS256, jose.PS384, jose.PS512, jose.EdDSA,
}

// Unverified is a token before its signature is checked: anybody can have written it.
type Unverified struct {
	models.Claims
	Issuer, Audience string
	raw              string
	header           jose.Header
}

// Parse reads a token without verifying it. The error is for the log.
func Parse(raw string) (u Unverified, err error) {
	signed, err := jose.ParseSignedCompact(raw, algorithms)
	if err != nil {
		return u, err
	}
	u.raw, u.header = raw, signed.Signatures[0].Header
	if len(u.header.KeyID) > maxKeyID {
		return u, errors.New("the id of the key is too long")
	}
	if err := json.Unmarshal(signed.UnsafePayloadWithoutVerification(), &u.Claims); err != nil {
		return u, err
	}
	u.Issuer, _ = u.Claims["iss"].(string)
	if u.Audience, err = audienceOf(u.Claims); err != nil {
		return u, err
	}
	if u.Issuer == "" {
		return u, errors.New("the claim iss, which names the issuer, is missing")
	}
	return u, nil
}

// audienceOf returns the audience of a token. It refuses a token with several audiences, because each of them could pass the token on.
func audienceOf(claims models.Claims) (string, error) {
	switch audience := claims["aud"].(type) {
	case string:
		return audience, nil
	case []any:
		if len(audience) == 1 {
			if one, ok := audience[0].(string); ok {
				return one, nil
			}
		}
	}
	return "", errors.New("the token is not for one audience")
}

// Verified is a token whose issuer and times are proven.
type Verified struct {
	models.Claims
	// Digest names the token: the SHA-256 of its issuer and what is signed. The text of a token is not unique, since
	// signatures can be written in several ways.
	Digest    []byte
	ExpiresAt time.Time
}

// Keys finds the public keys of issuers.
type Keys interface {
	// Keys returns the issuer's current keys with the ID and the algorithm; the list may be empty. The error is unavailable if the
	// keys cannot be read, and rate_limited if unknown IDs are looked up too often.
	Keys(ctx context.Context, issuer, keyID string, algorithm string) ([]crypto.PublicKey, error)
}

// Verifier verifies tokens. It is safe for concurrent use.
type Verifier struct {
	Keys Keys
	Now  func() time.Time
}

// Verify checks the signature, the audience and the times of a token. Its errors are for the log, except errors of Keys.
func (v Verifier) Verify(ctx context.Context, u Unverified) (verified Verified, err error) {
	keys, err := v.Keys.Keys(ctx, u.Issuer, u.header.KeyID, u.header.Algorithm)
	if err != nil {
		return verified, err
	}
	if len(keys) == 0 {
		return verified, fmt.Errorf("the issuer has no key %q for %s", u.header.KeyID, u.header.Algorithm)
	}
	now := v.Now()
	token, err := oidc.NewVerifier(u.Issuer, &oidc.StaticKeySet{PublicKeys: keys}, &oidc.Config{
		ClientID: u.Audience, SupportedSigningAlgs: []string{u.header.Algorithm},
		Now: func() time.Time { return now.Add(-Leeway) },
	}).Verify(ctx, u.raw)
	if err != nil {
		return verified, err
	}
	var payload json.RawMessage
	if err := token.Claims(&payload); err != nil {
		return verified, err
	}
	if err := json.Unmarshal(payload, &verified.Claims); err != nil {
		return verified, err
	}
	verified.ExpiresAt = token.Expiry
	digest := sha256.Sum256(append([]byte(u.Issuer+"\n"), payload...))
	verified.Digest = digest[:]
	return verified, checkTimes(token, verified.Claims, now)
}

// checkTimes checks what go-oidc does not, or less strictly.
func checkTimes(token *oidc.IDToken, claims models.Claims, now time.Time) error {
	latest := now.Add(Leeway)
	if token.IssuedAt.Unix() <= 0 || token.IssuedAt.After(latest) {
		return fmt.Errorf("the token is issued at %v", token.IssuedAt)
	}
	if token.Expiry.Sub(token.IssuedAt) > MaxLife {
		return fmt.Errorf("the token is valid for longer than %v", MaxLife)
	}
	notBefore, exists := claims["nbf"]
	if seconds, ok := notBefore.(float64); exists && (!ok || seconds > float64(latest.Unix())) {
		return fmt.Errorf("the token is not valid before %v", notBefore)
	}
	return nil
}
