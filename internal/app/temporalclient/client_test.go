package temporalclient

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/lab/authority"
	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// serverName is the name in the frontend's certificate.
const serverName = "temporal.example.com"

// frontend is the Temporal of the test run behind a proxy that speaks TLS, as a
// self-hosted one behind a load balancer does.
type frontend struct {
	address string
	// header is of the last request.
	header atomic.Pointer[http.Header]
}

// newFrontend asks clients for a certificate of clients when that is not nil.
func newFrontend(t *testing.T, own authority.Authority, clients *authority.Authority) *frontend {
	t.Helper()
	address, _ := enginetest.Temporal(t)
	f := &frontend{}
	plaintext := new(http.Protocols)
	plaintext.SetUnencryptedHTTP2(true)
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: address})
	proxy.Transport = &http.Transport{Protocols: plaintext}
	proxy.FlushInterval = -1
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := r.Header.Clone()
		f.header.Store(&header)
		proxy.ServeHTTP(w, r)
	}))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{own.Pair(t, serverName)}, MinVersion: tls.VersionTLS12}
	if clients != nil {
		server.TLS.ClientAuth, server.TLS.ClientCAs = tls.RequireAndVerifyClientCert, clients.Pool()
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	f.address = server.Listener.Addr().String()
	return f
}

// health returns an error unless Temporal responds to a client with these settings.
func health(t *testing.T, cfg config.Config) error {
	t.Helper()
	cfg.TemporalNamespace = "default"
	c, err := New(cfg, nil, nil, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer c.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	_, err = c.CheckHealth(ctx, &client.CheckHealthRequest{})
	return err
}

func TestATemporalBehindTLS(t *testing.T) {
	t.Parallel()
	own := authority.New(t)
	f := newFrontend(t, own, nil)
	cfg := config.Config{TemporalAddress: f.address, TemporalTLSCA: own.File(t), TemporalTLSServerName: serverName}
	require.NoError(t, health(t, cfg))

	cfg.TemporalTLSServerName = "other.example.com"
	require.ErrorContains(t, health(t, cfg), "certificate is valid for "+serverName)

	cfg.TemporalTLSServerName, cfg.TemporalTLSCA = serverName, authority.New(t).File(t)
	require.ErrorContains(t, health(t, cfg), "certificate signed by unknown authority")

	require.Error(t, health(t, config.Config{TemporalAddress: f.address}), "without TLS")
}

func TestATemporalThatAsksForAClientCertificate(t *testing.T) {
	t.Parallel()
	own, clients := authority.New(t), authority.New(t)
	f := newFrontend(t, own, &clients)
	cfg := config.Config{TemporalAddress: f.address, TemporalTLSCA: own.File(t), TemporalTLSServerName: serverName}
	require.Error(t, health(t, cfg), "without a certificate")

	cfg.TemporalTLSCert, cfg.TemporalTLSKey = clients.Issue(t, "waft")
	require.NoError(t, health(t, cfg))

	cfg.TemporalTLSCert, cfg.TemporalTLSKey = authority.New(t).Issue(t, "stranger")
	require.Error(t, health(t, cfg), "with one of another authority")
}

// A renewed certificate is used without a restart.
func TestTheClientCertificateIsReadAgain(t *testing.T) {
	t.Parallel()
	own, clients := authority.New(t), authority.New(t)
	f := newFrontend(t, own, &clients)
	cfg := config.Config{
		TemporalAddress: f.address, TemporalNamespace: "default", TemporalTLSCA: own.File(t), TemporalTLSServerName: serverName,
	}
	cfg.TemporalTLSCert, cfg.TemporalTLSKey = authority.New(t).Issue(t, "waft")
	c, err := New(cfg, nil, nil, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer c.Close()
	_, err = c.CheckHealth(t.Context(), &client.CheckHealthRequest{})
	require.Error(t, err)

	certificate, key := clients.Issue(t, "waft")
	for from, to := range map[string]string{certificate: cfg.TemporalTLSCert, key: cfg.TemporalTLSKey} {
		renewed, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, renewed, 0o600))
	}
	require.Eventually(t, func() bool {
		_, err := c.CheckHealth(t.Context(), &client.CheckHealthRequest{})
		return err == nil
	}, time.Minute, 100*time.Millisecond)
}

func TestAnAPIKeyIsSentOverTLSOnly(t *testing.T) {
	t.Parallel()
	own := authority.New(t)
	f := newFrontend(t, own, nil)
	cfg := config.Config{
		TemporalAddress: f.address, TemporalAPIKey: "cloud-key", TemporalTLSCA: own.File(t), TemporalTLSServerName: serverName,
	}
	require.NoError(t, health(t, cfg))
	require.Equal(t, "Bearer cloud-key", f.header.Load().Get("Authorization"))

	plain, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer plain.Close()
	first := make(chan []byte, 1)
	go func() {
		conn, err := plain.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		hello := make([]byte, 3)
		_, _ = conn.Read(hello)
		first <- hello
	}()
	require.Error(t, health(t, config.Config{TemporalAddress: plain.Addr().String(), TemporalAPIKey: "cloud-key"}))
	require.Equal(t, byte(0x16), (<-first)[0], "the first byte of a TLS handshake")
}

func TestBadFilesAreNamedByTheirVariable(t *testing.T) {
	t.Parallel()
	own := authority.New(t)
	certificate, key := own.Issue(t, "waft")
	empty := filepath.Join(t.TempDir(), "empty.pem")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for name, cfg := range map[string]config.Config{
		"TEMPORAL_TLS_SERVER_CA_CERT_PATH: open":        {TemporalTLSCA: "/nowhere"},
		"TEMPORAL_TLS_SERVER_CA_CERT_PATH must":         {TemporalTLSCA: empty},
		"TEMPORAL_TLS_CLIENT_KEY_PATH: open /nowhere":   {TemporalTLSCert: certificate, TemporalTLSKey: "/nowhere"},
		"TEMPORAL_TLS_CLIENT_CERT_PATH":                 {TemporalTLSCert: empty, TemporalTLSKey: key},
		"WAFT_TEMPORAL_PAYLOAD_KEYS: must be 32 bytes ": {TemporalPayloadKeys: []string{"short"}},
	} {
		cfg.TemporalAddress = "127.0.0.1:1"
		_, err := New(cfg, nil, nil, slog.New(slog.DiscardHandler))
		require.ErrorContains(t, err, name)
	}
}

func TestMetricsOfTheSDKAreInTheRegistry(t *testing.T) {
	t.Parallel()
	address, namespace := enginetest.Temporal(t)
	registry := prometheus.NewRegistry()
	c, err := New(config.Config{TemporalAddress: address, TemporalNamespace: namespace}, registry, nil, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer c.Close()
	_, err = c.CheckHealth(t.Context(), &client.CheckHealthRequest{})
	require.NoError(t, err)
	_, err = c.DescribeWorkflowExecution(t.Context(), "there is no such workflow", "")
	require.Error(t, err)
	families, err := registry.Gather()
	require.NoError(t, err)
	var names []string
	for _, f := range families {
		names = append(names, f.GetName())
	}
	require.Contains(t, names, "temporal_request_total")
	require.Contains(t, names, "temporal_request_failure_total")
}
