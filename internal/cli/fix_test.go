package cli

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

// unused is an address without a server. Another test could get the port of a server that was closed.
const unused = "http://127.0.0.1:1"

// Each failure has its exit code, and a sentence with the fix.
func TestFailuresOfTheNetwork(t *testing.T) {
	t.Parallel()
	page := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			_, _ = w.Write([]byte("<!doctype html>\n<title>Sign in to the guest network</title>")) // the test sees what is missing
		}
	}
	for name, c := range map[string]struct {
		url  string
		exit int
		says string
	}{
		"nothing listens":      {unused, 7, "check that the server is running and that --url (WAFT_URL) is correct"},
		"unknown host":         {"http://waft.invalid", 7, "check the host name in --url (WAFT_URL)"},
		"unknown authority":    {quietTLS(t, page(200)).URL, 7, "name its certificate in SSL_CERT_FILE"},
		"no TLS":               {strings.Replace(serve(t, page(200)), "http:", "https:", 1), 7, "use http:// in --url"},
		"a gateway":            {serve(t, page(502)), 7, "a proxy in front of Waft responded: check that Waft itself is running"},
		"a sign-in page":       {serve(t, page(200)), 1, "the response does not come from Waft: check --url (WAFT_URL)"},
		"a redirect":           {serve(t, page(302)), 1, "the response does not come from Waft: check --url (WAFT_URL)"},
		"another server":       {serve(t, page(404)), 1, "the response does not come from Waft: check --url (WAFT_URL)"},
		"a proxy with a name":  {serve(t, page(407)), 1, "set them in HTTPS_PROXY"},
		"a proxy that blocks":  {serve(t, page(403)), 1, "the response does not come from Waft: check --url (WAFT_URL)"},
		"a proxy with a limit": {serve(t, page(413)), 1, "raise its limit, such as client_max_body_size of nginx"},
		"a broken connection":  {hangUp(t), 7, "check that the server is running"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var errOut strings.Builder
			cmd := NewCommand()
			cmd.SetOut(io.Discard)
			code := Run(t.Context(), cmd, []string{"--url", c.url, "--project", "demo", "--api-key", "waft_12345678_x", "channels", "list"}, &errOut)
			require.Equal(t, c.exit, code, errOut.String())
			require.Contains(t, errOut.String(), c.says)
			require.NotContains(t, errOut.String(), "<title>")
		})
	}
	for _, args := range [][]string{
		{"publish", t.TempDir(), "--channel", "production", "--platform", "ios"}, {"rollouts", "watch", "21"},
		{"rollback", "--channel", "production", "--yes"}, {"login", "--profile", "x"},
	} {
		if args[0] == "publish" {
			writeExport(t, args[1])
		}
		var errOut strings.Builder
		to := []string{"--url", serve(t, page(200)), "--project", "demo", "--api-key", "waft_12345678_x"}
		require.Equal(t, 1, Run(t.Context(), NewCommand(), append(args, to...), &errOut), args)
		require.Contains(t, errOut.String(), "the response does not come from Waft: "+
			"check --url (WAFT_URL), and whether a proxy or a sign-in page")
	}
	var errOut strings.Builder
	args := []string{"--url", unused, "--project", "demo", "--api-key", "waft_12345678_x", "rollouts", "watch", "21"}
	require.Equal(t, 7, Run(t.Context(), NewCommand(), args, &errOut), "a watch does not wait for a server that never responded")
	unknown := &client.Error{Status: 404, Code: models.CodeNotFound, Detail: "this path does not exist; /docs lists all paths"}
	require.Contains(t, Message(unknown), "`waft doctor` compares the versions")
	require.Contains(t, Message(&os.PathError{Op: "write", Path: "dist/a", Err: syscall.ENOSPC}), "the disk is full: make space")
}

// The source of an import is another server than Waft.
func TestFailuresOfASource(t *testing.T) {
	t.Parallel()
	for _, source := range []string{unused, hangUp(t), serve(t, http.NotFoundHandler())} {
		var errOut strings.Builder
		cmd := NewCommand()
		cmd.SetOut(io.Discard)
		args := []string{"--project", "demo", "--api-key", "waft_12345678_x", "import", "hot-updater", source}
		require.Equal(t, 1, Run(t.Context(), cmd, args, &errOut))
		require.Contains(t, errOut.String(), "the source hot-updater: ")
		require.NotContains(t, errOut.String(), "--url")
	}
}

// writeExport writes an export of one bundle.
func writeExport(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "metadata.json"),
		[]byte(`{"version":0,"bundler":"metro","fileMetadata":{"ios":{"bundle":"a.js","assets":[]}}}`), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.js"), []byte("1"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "expoConfig.json"), []byte(`{"runtimeVersion":"1.0.0"}`), 0o600))
}

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// quietTLS serves h with a certificate that machines do not know, and does not log the refused handshakes.
func quietTLS(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{MinVersion: tls.VersionTLS13}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// hangUp accepts connections and closes them.
func hangUp(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = c.Close()
		}
	}()
	return "http://" + l.Addr().String()
}
