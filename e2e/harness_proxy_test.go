package e2e

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/authority"
)

// edge is one of the proxies that docs/operations/proxies.md describes.
type edge struct {
	// program is the name of its program, and file the name of its configuration in deploy/proxies.
	program, file string
	// replaced maps addresses, names and certificates in the configuration to the test's own, as names of values: see named.
	replaced map[string]string
	// around is a configuration like Debian's own that includes the file, or to which its text is appended.
	around string
	// arguments start the program, followed by the path of the configuration.
	arguments []string
}

var edges = []edge{
	{
		program: "nginx", file: "nginx.conf",
		replaced: map[string]string{
			"listen 80;": "listen HTTP;", "listen 443 ssl": "listen HTTPS ssl", "[::]:80": "HTTP6", "[::]:443": "HTTPS6",
			"waft.example.com": "localhost", "127.0.0.1:8080": "WAFT",
			"/etc/ssl/waft/fullchain.pem": "CERTIFICATE", "/etc/ssl/waft/privkey.pem": "KEY",
		},
		around: `daemon off;
master_process off;
pid FOLDER/nginx.pid;
error_log stderr;
events {}
http {
    access_log off;
    gzip on;
    client_body_temp_path FOLDER/body;
    proxy_temp_path FOLDER/proxy;
    fastcgi_temp_path FOLDER/fastcgi;
    uwsgi_temp_path FOLDER/uwsgi;
    scgi_temp_path FOLDER/scgi;
    include FILE;
}
`,
		arguments: []string{"-e", "stderr", "-c"},
	},
	{
		program: "haproxy", file: "haproxy.cfg",
		replaced: map[string]string{
			"bind :80": "bind HTTP", "bind :443": "bind HTTPS", "[::]:80": "HTTP6", "[::]:443": "HTTPS6", "127.0.0.1:8080": "WAFT",
			"/etc/haproxy/certs/waft.pem": "CHAIN",
		},
		around:    "global\n    log stdout format raw local0\ndefaults\n    log global\n    mode tcp\nTEXT",
		arguments: []string{"-db", "-f"},
	},
	{
		program: "caddy", file: "Caddyfile",
		replaced: map[string]string{
			"waft.example.com {": "https://localhost:PORT {\n\tbind LOOPBACKS\n\ttls CERTIFICATE KEY", "127.0.0.1:8080": "WAFT",
		},
		around: `{
	admin off
	auto_https disable_redirects
}
import FILE
`,
		arguments: []string{"run", "--adapter", "caddyfile", "--config"},
	},
}

// gateway is a running proxy.
type gateway struct {
	// url is its address for clients, and authority the path of the certificate that they must trust.
	url, authority string
	pool           *x509.CertPool
	// plain is its address without TLS. It is "" for Caddy, whose redirect the test turns off because it needs port 80.
	plain string
}

// start starts the proxy at an address in front of the server at another one.
func (e edge) start(t *testing.T, address, server string) gateway {
	t.Helper()
	programs, err := exec.CommandContext(t.Context(), "../tools/proxies.sh").Output()
	require.NoError(t, err, "tools/proxies.sh finds %s, or unpacks it from its Debian package", e.program)
	folder, own := t.TempDir(), authority.New(t)
	certificate, key := own.Issue(t, "localhost")
	values := map[string]string{
		"HTTPS": address, "HTTP": freeAddress(t), "PORT": portOf(t, address), "WAFT": strings.TrimPrefix(server, "http://"),
		"CERTIFICATE": certificate, "KEY": key, "CHAIN": filepath.Join(folder, "chain.pem"),
		"FOLDER": folder, "FILE": filepath.Join(folder, e.file), "LOOPBACKS": "127.0.0.1",
	}
	if hasIPv6() {
		values["LOOPBACKS"] += " ::1"
	}
	for _, name := range []string{"HTTPS", "HTTP"} {
		values[name+"6"] = net.JoinHostPort("::1", portOf(t, values[name]))
	}
	require.NoError(t, os.WriteFile(values["CHAIN"], append(readAll(t, certificate), readAll(t, key)...), 0o600))
	text := string(readAll(t, filepath.Join("..", "deploy", "proxies", e.file)))
	for from, to := range e.replaced {
		require.Contains(t, text, from, "the test replaces it")
		text = strings.ReplaceAll(text, from, named(to, values))
	}
	if !hasIPv6() {
		text = ofIPv6.ReplaceAllString(text, "")
	}
	values["TEXT"] = text
	require.NoError(t, os.WriteFile(values["FILE"], []byte(text), 0o600))
	path := filepath.Join(folder, "around")
	require.NoError(t, os.WriteFile(path, []byte(named(e.around, values)), 0o600))
	command := exec.Command(filepath.Join(strings.TrimSpace(string(programs)), e.program), append(e.arguments, path)...)
	command.Env = append(os.Environ(), "HOME="+folder, "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder)
	running := spawn(t, command)

	g := gateway{url: "https://localhost:" + values["PORT"], authority: own.File(t), pool: own.Pool()}
	if e.program != "caddy" {
		require.Contains(t, text, values["HTTP"])
		g.plain = "http://localhost:" + portOf(t, values["HTTP"])
	}
	eventually(t, func() bool {
		require.False(t, running.ended(), "%s ended", e.program)
		client := g.client(t, "127.0.0.1")
		defer client.CloseIdleConnections()
		res, err := client.Get(g.url + "/healthz")
		if err != nil {
			return false
		}
		return res.Body.Close() == nil && res.StatusCode == http.StatusOK
	})
	if e.program == "haproxy" { // the others log by their own defaults, or not at all
		eventually(t, func() bool { return strings.Contains(running.log.String(), "/healthz HTTP/2.0") })
	}
	return g
}

// ofIPv6 matches the lines of a configuration with the IPv6 address of this machine.
var ofIPv6 = regexp.MustCompile(`(?m)^.*\[::1\]:.*\n`)

// hasIPv6 reports whether this machine has IPv6, which Docker turns off in containers by default.
var hasIPv6 = sync.OnceValue(func() bool {
	listener, err := net.Listen("tcp", "[::1]:0")
	return err == nil && listener.Close() == nil
})

// named replaces the names of values in a text.
func named(text string, values map[string]string) string {
	var pairs []string
	for _, name := range []string{ // longer names first
		"HTTPS6", "HTTP6", "HTTPS", "HTTP", "PORT", "WAFT", "CERTIFICATE", "KEY", "CHAIN", "FOLDER", "FILE", "TEXT", "LOOPBACKS",
	} {
		pairs = append(pairs, name, values[name])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// client returns a client at an address of this machine that trusts the proxy's certificate.
func (g gateway) client(t *testing.T, from string) *http.Client {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	transport := &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: g.pool, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2: true,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			_, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			to := "127.0.0.1"
			if dialer.LocalAddr.(*net.TCPAddr).IP.To4() == nil {
				to = "::1"
			}
			return dialer.DialContext(ctx, network, net.JoinHostPort(to, port))
		},
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func readAll(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return content
}
