// Package secrets encrypts stored secrets, such as the secrets that sign webhook messages, with AES-256-GCM under a key from the
// settings. A copy of the database alone does not reveal them.
package secrets

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// version begins every sealed text, so that the scheme can change.
const version = "v1"

// Box seals under one key and opens what was sealed under any of its keys. It is safe for concurrent
// use.
//
// A sealed text reads v1.<id of the key>.<base64url of nonce and ciphertext>. The nonce is random, 96
// bits.
type Box struct {
	current string // id of the key to seal under
	ciphers map[string]cipher.AEAD
}

// ErrUnknownKey is the error of Open for a text sealed under a key that the box does not have.
var ErrUnknownKey = errors.New("sealed under a key that is neither WAFT_SECRET_KEY nor WAFT_SECRET_KEY_PREVIOUS")

// errNotSealed deliberately omits the exact reason.
var errNotSealed = errors.New("not a sealed secret of this record, or changed since it was sealed")

// New returns a box that seals under current and also opens what was sealed under the other keys.
func New(current Key, others ...Key) (*Box, error) {
	ciphers, err := Ciphers(append(others, current)...)
	return &Box{current.ID(), ciphers}, err
}

// Ciphers returns AES-256-GCM with random nonces under each key, by the key's id.
func Ciphers(keys ...Key) (map[string]cipher.AEAD, error) {
	ciphers := map[string]cipher.AEAD{}
	for _, k := range keys {
		block, err := aes.NewCipher(k[:])
		if err != nil {
			return nil, err
		}
		if ciphers[k.ID()], err = cipher.NewGCMWithRandomNonce(block); err != nil {
			return nil, err
		}
	}
	return ciphers, nil
}

// Seal encrypts secret. Open needs the same purpose. The purpose should name the one place where the
// text is stored, so that a copy of it in another place cannot be opened.
func (b *Box) Seal(purpose string, secret []byte) string {
	sealed := b.ciphers[b.current].Seal(nil, nil, secret, associated(b.current, purpose))
	return b.Prefix() + base64.RawURLEncoding.EncodeToString(sealed)
}

// Open decrypts what Seal made for the same purpose. Its error contains neither the secret nor the
// sealed text.
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

// Prefix begins every text sealed under the current key, and no other text.
func (b *Box) Prefix() string { return version + "." + b.current + "." }

// associated returns the data that is authenticated with the secret.
func associated(keyID, purpose string) []byte {
	return []byte(version + "." + keyID + "." + purpose)
}
