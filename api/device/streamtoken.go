package device

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"time"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/waft-ota/waft/models"
)

const (
	// streamTokenLife is the time for which a token opens streams. An open stream may last longer.
	streamTokenLife = time.Hour
	// streamTokenRenewal is the time after which the ETag of an evaluation changes, so that a client gets another token
	// even if no flag changes. Each token therefore opens streams for at least streamTokenLife - streamTokenRenewal
	// after the last 304.
	streamTokenRenewal = 30 * time.Minute
	// maxStreamContext is the maximum length in bytes of the context in a token. It keeps the URL below the 8 KiB that
	// proxies accept.
	maxStreamContext = 3 << 10
)

// streamToken opens the stream of changes that belongs to a bulk evaluation. It is encrypted, because a context may
// name a person and proxies log URLs.
type streamToken struct {
	ProjectID int64  `json:"p"`
	KeyID     int64  `json:"k"`
	KeyPrefix string `json:"x"`
	// Expires is the time in seconds since 1970 until which the token opens streams.
	Expires int64 `json:"e"`
	// Seen is the digest of the evaluation that the client has.
	Seen []byte `json:"s,omitempty"`
	// Context is the JSON of the context, or nil if it is too long. Channel is the channel in it.
	Context json.RawMessage `json:"c,omitempty"`
	Channel string          `json:"h,omitempty"`
}

// streamTokenUse separates these tokens from other uses of the same keys.
var streamTokenUse = []byte("stream of OFREP")

// errStreamToken is the same for every reason, because a reason would help to guess.
var errStreamToken = models.Errorf(models.CodeUnauthenticated,
	"the token of this event stream is not valid; evaluate all flags again to get another one")

// seal encrypts the token. Its random nonce has 192 bits, so that one key can encrypt any number of tokens.
func (t *streamToken) seal(key []byte) (string, error) {
	text, err := json.Marshal(t)
	if err != nil {
		return "", err
	}
	sealer, err := chacha20poly1305.NewX(key)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, sealer.NonceSize(), sealer.NonceSize()+len(text)+sealer.Overhead())
	_, _ = rand.Read(nonce) // never fails
	return base64.RawURLEncoding.EncodeToString(sealer.Seal(nonce, nonce, text, streamTokenUse)), nil
}

// streamMark returns a digest of the settings that a client's URL depends on. It does not reveal anything about the keys.
func streamMark(url string, keys [][]byte) []byte {
	var first []byte
	if len(keys) > 0 {
		first = keys[0]
	}
	mac := hmac.New(sha256.New, first)
	mac.Write([]byte(url))
	return mac.Sum(nil)[:4]
}

// openStreamToken decrypts a token with one of the keys, and checks its time.
func openStreamToken(sealed string, keys [][]byte, now time.Time) (*streamToken, error) {
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return nil, errStreamToken
	}
	for _, key := range keys {
		opener, err := chacha20poly1305.NewX(key)
		if err != nil {
			return nil, err
		}
		if len(raw) < opener.NonceSize() {
			break
		}
		text, err := opener.Open(nil, raw[:opener.NonceSize()], raw[opener.NonceSize():], streamTokenUse)
		if err != nil {
			continue
		}
		var t streamToken
		if json.Unmarshal(text, &t) != nil || now.Unix() >= t.Expires {
			break
		}
		return &t, nil
	}
	return nil, errStreamToken
}
