package webhookclient_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/webhookclient"
	"github.com/waft-ota/waft/models"
)

// Values that the reference libraries of Standard Webhooks make, in JavaScript and Go.
func TestSignatures(t *testing.T) {
	t.Parallel()
	for secret, want := range map[string]string{
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw": "v1,AQG81rX2n4rTN1fkXoqILSHO9gAOcwya9dP41rhrQDI=",
		"plain-secret":                           "v1,jcr+Rx2z2DaqQqbfU+BwWU1khJ/D6s4/YAK4uTm8RfA=",
	} {
		got := webhookclient.Signature(models.WebhookSecretOf(secret).Key(), "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1674087231, 999e6), []byte(`{"test": 2432232314}`))
		require.Equal(t, want, got)
	}
}

func TestTheLibraryOfReceiversTakesSignatures(t *testing.T) {
	t.Parallel()
	body, at := []byte(`{"type":"build.published"}`), time.Now()
	made := models.NewWebhookSecret()
	raw := models.WebhookSecretOf("a secret of their own")
	standard, err := standardwebhooks.NewWebhook(made.Reveal())
	require.NoError(t, err)
	plain, err := standardwebhooks.NewWebhookRaw([]byte(raw.Reveal()))
	require.NoError(t, err)
	header := func(s models.WebhookSecret, id string) http.Header {
		h := http.Header{}
		h.Set(webhookclient.HeaderID, id)
		h.Set(webhookclient.HeaderTimestamp, strconv.FormatInt(at.Unix(), 10))
		h.Set(webhookclient.HeaderSignature, webhookclient.Signature(s.Key(), "msg_1", at, body))
		return h
	}
	require.NoError(t, standard.Verify(body, header(made, "msg_1")))
	require.NoError(t, plain.Verify(body, header(raw, "msg_1")))
	require.Error(t, standard.Verify(body, header(raw, "msg_1")), "another secret")
	require.Error(t, standard.Verify(body, header(made, "msg_2")), "another id")
	require.Error(t, standard.Verify([]byte(`{}`), header(made, "msg_1")), "another body")
}
