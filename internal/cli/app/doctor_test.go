package app

import (
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
)

// doctorServer runs a server that responds to /v1/me with the status and the body. Its only channel is paused.
func doctorServer(t *testing.T, status int, me string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		body := `{"status": "ok", "version": "dev"}`
		switch r.URL.Path {
		case "/v1/me":
			w.WriteHeader(status)
			body = me
		case "/v1/ota/channels":
			body = `[{"id": 1, "name": "production", "branchName": "production", "isPaused": true}]`
		}
		_, _ = w.Write([]byte(body)) // the test sees what is missing
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestDoctorAndTheKey(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status       int
		me           string
		project      string
		says, absent string
	}{
		"refused":           {http.StatusForbidden, `{}`, "shop", "the server refused the key", "<nil>"},
		"a failure":         {http.StatusInternalServerError, `{}`, "shop", "the key or the session could not be checked", "refused"},
		"another server":    {http.StatusNoContent, ``, "shop", "could not be checked", "<nil>"},
		"without a project": {http.StatusOK, `{}`, "", "problem  the project is missing", "key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := runAt(t, doctorServer(t, c.status, c.me), Doctor, "doctor", "--app", t.TempDir(), "--project", c.project)
			require.Error(t, err)
			require.Contains(t, out, c.says)
			require.NotContains(t, out, c.absent)
		})
	}
}

// An operator may have neither a project nor a key.
func TestDoctorChecksTheServerWithoutAProject(t *testing.T) {
	t.Parallel()
	server := doctorServer(t, http.StatusOK, `{}`)
	out, err := runAt(t, server, Doctor, "doctor", "--app", t.TempDir(), "--project", "", "--admin-url", server)
	require.NoError(t, err, out)
	require.Contains(t, out, "ok       without a project, only the server was checked")
}

func TestDoctorNamesTheChannelThatIsPaused(t *testing.T) {
	t.Parallel()
	api, err := client.New(doctorServer(t, http.StatusOK, `{}`), client.Credentials{Key: "waft_12345678_x", Project: "shop"})
	require.NoError(t, err)
	d := &doctor{api: api}
	d.checkChannel(t.Context(), "production")
	require.Equal(t, []finding{
		{"channel", statusWarning, "the channel production is paused", "run `waft channels edit production --paused=false`"},
	}, d.findings)
}

func TestARenewedCertificateIsAWarning(t *testing.T) {
	t.Parallel()
	now := time.Now()
	key, err := rsa.GenerateKey(rand.Reader, keyBits)
	require.NoError(t, err)
	old, err := newKeyPair(key, "shop", now, 1)
	require.NoError(t, err)
	renewed, err := newKeyPair(key, "shop", now, 10)
	require.NoError(t, err)
	other, err := newKeyPair(nil, "shop", now, 10)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		of   *keyPair
		want string
	}{
		"the same":    {old, statusOK},
		"renewed":     {renewed, statusWarning},
		"another key": {other, statusProblem},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := parsed(t, `{"updates": {"codeSigningMetadata": {"keyid": "main"}}}`)
			d := &doctor{now: time.Now, signing: &client.CodeSigning{
				KeyID: "main", CertificatePem: string(c.of.certificate), NotAfter: now.AddDate(1, 0, 0),
			}}
			d.compareCertificates(&expoApp{config: config}, old.certificate)
			require.Equal(t, c.want, d.findings[0].Status, fmt.Sprint(d.findings))
		})
	}
}
