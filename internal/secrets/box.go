// Package secrets encrypts what Waft has to store and must be able to read again,
// such as the secrets that webhooks are signed with: AES-256-GCM under a key that
// only the settings know, so that a copy of the database gives nothing away.
package secrets

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// version begins every sealed text, so that another scheme can follow this one.
const version = "v1"

// Box seals under one key and opens what was sealed under any of the keys that it
// was made with. It is safe for concurrent use.
//
// A sealed text reads v1.<id of the key>.<base64url of nonce and ciphertext>. The
// nonce is random, 96 bits.
type Box struct {
	current string // id of the key to seal under
	ciphers map[string]cipher.AEAD
}

// ErrUnknownKey is the error of Open for a text sealed under a key that the box
// does not have.
var ErrUnknownKey = errors.New("sealed under a key that is neither WAFT_SECRET_KEY nor WAFT_SECRET_KEY_PREVIOUS")

// errNotSealed is all that is told of a text that does not open.
var errNotSealed = errors.New("not a sealed secret of this record, or changed since it was sealed")

// New returns a box that seals under current and also opens what was sealed under
// the other keys.
func New(current Key, others ...Key) (*Box, error) {
	b := &Box{current: current.ID(), ciphers: map[string]cipher.AEAD{}}
	for _, k := range append(others, current) {
		block, err := aes.NewCipher(k[:])
		if err != nil {
			return nil, fmt.Errorf("secrets: %w", err)
		}
		if b.ciphers[k.ID()], err = cipher.NewGCMWithRandomNonce(block); err != nil {
			return nil, fmt.Errorf("secrets: %w", err)
		}
	}
	return b, nil
}

// Seal encrypts secret. Only Open with the same purpose reads it again; let the
// purpose name the one place where the text is kept, so that it is worth nothing
// when it is copied to another.
func (b *Box) Seal(purpose string, secret []byte) string {
	sealed := b.ciphers[b.current].Seal(nil, nil, secret, associated(b.current, purpose))
	return b.Prefix() + base64.RawURLEncoding.EncodeToString(sealed)
}

// Open decrypts what Seal made for the same purpose. Its error holds neither the
// secret nor the sealed text.
func (b *Box) Open(purpose, sealed string) ([]byte, error) {
	scheme, rest, _ := strings.Cut(sealed, ".")
	id, data, ok := strings.Cut(rest, ".")
	if scheme != version || !ok {
		return nil, errNotSealed
	}
	aead := b.ciphers[id]
	if aead == nil {
		return nil, fmt.Errorf("%w (its id is %q)", ErrUnknownKey, id)
	}
	raw, err := base64.RawURLEncoding.DecodeString(data)
	if err != nil {
		return nil, errNotSealed
	}
	secret, err := aead.Open(nil, nil, raw, associated(id, purpose))
	if err != nil {
		return nil, errNotSealed
	}
	return secret, nil
}

// Prefix begins every text that Seal makes, and no text that was sealed under
// another key.
func (b *Box) Prefix() string { return version + "." + b.current + "." }

// associated is what is authenticated beside the secret.
func associated(keyID, purpose string) []byte {
	return []byte(version + "." + keyID + "." + purpose)
}
