package api

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/waft-ota/waft/models"
)

// answerSeal encrypts answers that are kept for a caller who asks again. Its key
// comes from the caller's own credential, of which Waft keeps only a hash: what
// lies in the database can be read by nobody but that caller, new API keys and
// webhook secrets included.
type answerSeal struct{ aead cipher.AEAD }

// newAnswerSeal makes the seal of the answer to one request of the caller with
// the given Authorization header.
func newAnswerSeal(authorization string, r *models.IdempotentRequest) (answerSeal, error) {
	_, credential, _ := strings.Cut(authorization, " ")
	info := fmt.Sprintf("waft idempotent answer %d %q %q %q", r.ProjectID, r.Caller, r.Path, r.Key)
	key, err := hkdf.Key(sha256.New, []byte(strings.TrimSpace(credential)), nil, info, 32)
	if err != nil {
		return answerSeal{}, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return answerSeal{}, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return answerSeal{aead}, err
}

func (s answerSeal) seal(answer []byte) []byte { return s.aead.Seal(nil, nil, answer, nil) }

func (s answerSeal) open(sealed []byte) ([]byte, error) {
	return s.aead.Open(nil, nil, sealed, nil)
}
