package secrets

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
)

// Key is 32 random bytes. It is hidden in logs.
type Key [32]byte

// ParseKey reads a key from standard base64. Its error never quotes the text.
func ParseKey(text string) (k Key, err error) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) != len(k) {
		return Key{}, errors.New("must be 32 bytes in base64; create a key with: head -c32 /dev/urandom | base64")
	}
	return Key(raw), nil
}

// String hides the key.
func (Key) String() string { return "(secret key)" }

// GoString hides the key.
func (k Key) GoString() string { return k.String() }

// ID returns a public name of the key: 8 hex digits that do not reveal anything about the key.
func (k Key) ID() string {
	mac := hmac.New(sha256.New, k[:])
	mac.Write([]byte("waft secret key id"))
	return hex.EncodeToString(mac.Sum(nil)[:4])
}
