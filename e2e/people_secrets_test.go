package e2e

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"maps"
	"math/big"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// askJSON sends a request without the client, and returns the JSON in the response, or nil.
func (p project) askJSON(t *testing.T, method, path string, body any, status int) map[string]any {
	t.Helper()
	var content io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		require.NoError(t, err)
		content = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, p.url+path, content)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+p.key)
	req.Header.Set("X-Project", p.slug)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Equal(t, status, res.StatusCode, "%s %s: %s", method, path, text)
	var answer map[string]any
	if len(text) > 0 && text[0] == '{' {
		require.NoError(t, json.Unmarshal(text, &answer))
	}
	return answer
}

// signingPEM creates a key and a certificate as `npx expo-updates codesigning:generate` does.
func signingPEM(t *testing.T) (private, certificate string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Demo"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	return string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})),
		string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

func TestTheSecretKeyCanBeChanged(t *testing.T) {
	t.Parallel()
	env := settings(t)
	migrate(t, env)
	oldKey := env["WAFT_SECRET_KEY"]
	newKey := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))
	with := func(current, previous string) map[string]string {
		changed := maps.Clone(env)
		changed["WAFT_SECRET_KEY"], changed["WAFT_SECRET_KEY_PREVIOUS"] = current, previous
		return changed
	}

	server := waftd(t, "api", env)
	p := newProject(t, "http://"+server.addr, env["WAFT_ROOT_KEY"])
	private, certificate := signingPEM(t)
	p.askJSON(t, http.MethodPut, "/v1/ota/code-signing", map[string]any{"privateKeyPem": private, "certificatePem": certificate}, 200)
	hook := p.askJSON(t, http.MethodPost, "/v1/ota/webhooks", map[string]any{"url": "https://example.com", "events": []string{"*"}}, 201)
	require.NotEmpty(t, hook["secret"])
	require.NoError(t, server.stop(t.Context()))
	for _, secret := range []string{hook["secret"].(string), private[200:240], oldKey} {
		require.NotContains(t, server.log.String(), secret)
	}

	requireRefusal(t, launch(t, with(newKey, ""), "api"), "WAFT_SECRET_KEY_PREVIOUS")

	rotating := waftd(t, "api", with(newKey, oldKey))
	require.Contains(t, rotating.log.String(), "stored secrets are encrypted with WAFT_SECRET_KEY now")
	require.NoError(t, rotating.stop(t.Context()))

	rotated := waftd(t, "api", with(newKey, ""))
	p.url = "http://" + rotated.addr
	require.Equal(t, certificate, p.askJSON(t, http.MethodGet, "/v1/ota/code-signing", nil, 200)["certificatePem"])
	require.NotContains(t, rotated.log.String(), newKey)
	require.NoError(t, rotated.stop(t.Context()))

	requireRefusal(t, launch(t, with(oldKey, ""), "worker"), "WAFT_SECRET_KEY_PREVIOUS")
}
