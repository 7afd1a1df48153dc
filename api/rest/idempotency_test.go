package rest

import (
	"crypto/cipher"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// A response is encrypted with the credential of its caller, so only the caller can read the secrets in it.
func TestAnAnswerIsSealedForItsCaller(t *testing.T) {
	t.Parallel()
	request := &models.IdempotentRequest{ProjectID: 1, Caller: "key 1", Path: "/v1/ota/api-keys", Key: "k"}
	seal, err := newAnswerSeal("Bearer mine", request)
	require.NoError(t, err)
	sealed := seal.Seal(nil, nil, []byte("secret"), nil)
	require.NotContains(t, string(sealed), "secret")
	again, err := newAnswerSeal("Bearer mine", request)
	require.NoError(t, err)
	plain, err := again.Open(nil, nil, sealed, nil)
	require.NoError(t, err)
	require.Equal(t, "secret", string(plain))
	for name, other := range map[string]func() (cipher.AEAD, error){
		"another caller": func() (cipher.AEAD, error) { return newAnswerSeal("Bearer another", request) },
		"another key": func() (cipher.AEAD, error) {
			changed := *request
			changed.Key = "another"
			return newAnswerSeal("Bearer mine", &changed)
		},
	} {
		seal, err := other()
		require.NoError(t, err)
		_, err = seal.Open(nil, nil, sealed, nil)
		require.Error(t, err, name)
	}
}
