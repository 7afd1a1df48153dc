package access

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/waft-ota/waft/models"
)

// Seal encrypts the state of a sign-in that a browser keeps in the named cookie. The server does not store it.
func (g *Gate) Seal(cookie string, v any) (string, error) {
	sealer, err := g.sealer()
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(v)
	return base64.RawURLEncoding.EncodeToString(sealer.Seal(nil, nil, text, []byte(cookie))), err
}

// Open decrypts a value that Seal has encrypted for the named cookie.
func (g *Gate) Open(cookie, sealed string, v any) error {
	sealer, err := g.sealer()
	if err != nil {
		return err
	}
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return err
	}
	text, err := sealer.Open(nil, nil, raw, []byte(cookie))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

func (g *Gate) sealer() (cipher.AEAD, error) {
	block, err := aes.NewCipher(g.CookieKey)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// tagBytes is the length of the tag that follows the token in a session's cookie.
const tagBytes = 16

// tagged returns the form of a session's token in its cookie. Its tag proves that Waft created the token, so that an
// invented token is refused without a query; see ADR 23.
func (g *Gate) tagged(t models.SecretToken) string { return g.Tagged("", t) }

// Tagged returns the form of a token that its holder sends for a use other than a cookie. A token with the tag of one use
// is refused for every other use.
func (g *Gate) Tagged(use string, t models.SecretToken) string {
	return t.Reveal() + "." + tag(g.SessionKeys[0], use, t)
}

// untagged returns the token of a cookie. ok is false if Waft did not create it.
func (g *Gate) untagged(value string) (t models.SecretToken, ok bool) { return g.Untagged("", value) }

// Untagged returns the token of a value that Tagged has returned for the use. ok is false if Waft did not create it.
func (g *Gate) Untagged(use, value string) (t models.SecretToken, ok bool) {
	text, sent, _ := strings.Cut(value, ".")
	t, ok = models.ParseSecretToken(text)
	if !ok {
		return t, false
	}
	for _, key := range g.SessionKeys {
		if hmac.Equal([]byte(sent), []byte(tag(key, use, t))) {
			return t, true
		}
	}
	return t, false
}

func tag(key []byte, use string, t models.SecretToken) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(use))
	mac.Write([]byte(t.Reveal()))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:tagBytes])
}
