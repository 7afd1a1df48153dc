package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHealthCheckFailsUnlessTheServerIsReady(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			http.NotFound(w, r)
			return
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`{"status":"unavailable"}`)) // the client sees a short response
	}))
	address := strings.TrimPrefix(server.URL, "http://")
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	for _, listen := range []string{address, ":" + port, "0.0.0.0:" + port, "localhost:" + port} {
		require.NoError(t, ready(t.Context(), listen), listen)
	}
	status = http.StatusServiceUnavailable
	require.ErrorContains(t, ready(t.Context(), address), `the server is not ready: 503 Service Unavailable {"status":"unavailable"}`)
	server.Close()
	require.ErrorContains(t, ready(t.Context(), address), "the server does not respond")
	require.ErrorContains(t, ready(t.Context(), "8080"), "WAFT_LISTEN_ADDR must be host:port")
}

func TestHealthChecksOfAllIPv6AddressesGoToLoopback(t *testing.T) {
	t.Parallel()
	reached, err := fromHere("[::]:8080")
	require.NoError(t, err)
	require.Equal(t, "[::1]:8080", reached)
}
