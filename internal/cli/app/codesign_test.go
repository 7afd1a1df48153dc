package app

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli/command"
)

// runAt runs a command against a server, without a terminal.
func runAt(t *testing.T, url string, made func(*command.Settings) *cobra.Command, args ...string) (out string, err error) {
	t.Helper()
	s := &command.Settings{}
	root := &cobra.Command{Use: "waft", SilenceErrors: true, SilenceUsage: true}
	s.Register(root, func(name string) string {
		return map[string]string{"WAFT_URL": url, "WAFT_PROJECT": "shop", "WAFT_API_KEY": "waft_12345678_x"}[name]
	})
	root.AddCommand(made(s))
	var b strings.Builder
	root.SetOut(&b)
	root.SetErr(io.Discard)
	root.SetIn(strings.NewReader(""))
	root.SetArgs(args)
	err = root.ExecuteContext(t.Context())
	return b.String(), err
}

// signingServer runs a server with a project that has no key. It responds to a new key with the status.
func signingServer(t *testing.T, status int) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPut {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`{"keyId": "main"}`)) // the test sees what is missing
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestAKeyReplacesTheCertificateOfTheAppLastAndAfterAQuestion(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"generate", "rotate"} {
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			certificate := filepath.Join(dir, certificateFile)
			require.NoError(t, os.WriteFile(certificate, []byte("old"), 0o600))
			run := func(status int, keys string, args ...string) error {
				all := append([]string{"codesign", verb, "--keys", filepath.Join(dir, keys), "--certs", dir}, args...)
				_, err := runAt(t, signingServer(t, status), Codesign, all...)
				return err
			}
			content := func() string {
				text, err := os.ReadFile(certificate)
				require.NoError(t, err)
				return string(text)
			}
			require.ErrorContains(t, run(http.StatusOK, "asked"), "replaces "+certificate)
			require.NoDirExists(t, filepath.Join(dir, "asked"))
			require.Error(t, run(http.StatusInternalServerError, "refused", "--yes"))
			require.Equal(t, "old", content())
			require.NoError(t, run(http.StatusOK, "done", "--yes"))
			require.Contains(t, content(), "BEGIN CERTIFICATE")
		})
	}
}

func TestGitIgnoresTheKeyAlone(t *testing.T) {
	t.Parallel()
	for before, want := range map[string]string{
		"": "/private-key.pem\n", "node_modules": "node_modules\n/private-key.pem\n",
		"dist\n/private-key.pem\n": "dist\n/private-key.pem\n",
	} {
		dir := t.TempDir()
		ignore := filepath.Join(dir, ".gitignore")
		if before != "" {
			require.NoError(t, os.WriteFile(ignore, []byte(before), 0o600))
		}
		certs := filepath.Join(dir, "certs")
		_, err := runAt(t, signingServer(t, http.StatusOK), Codesign, "codesign", "generate", "--keys", dir, "--certs", certs)
		require.NoError(t, err)
		text, err := os.ReadFile(ignore)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
}

func TestAKeyThatCannotBeWrittenDoesNotStopTheNextRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	public := filepath.Join(dir, publicKeyFile)
	require.NoError(t, os.Mkdir(public, 0o755), "a folder in the way of the file")
	args := []string{"codesign", "generate", "--keys", dir, "--certs", filepath.Join(dir, "certs")}
	_, err := runAt(t, signingServer(t, http.StatusOK), Codesign, args...)
	require.ErrorContains(t, err, publicKeyFile)
	require.NoFileExists(t, filepath.Join(dir, privateKeyFile))
	require.NoError(t, os.Remove(public))
	_, err = runAt(t, signingServer(t, http.StatusOK), Codesign, args...)
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(dir, privateKeyFile))
}
