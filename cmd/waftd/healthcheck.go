package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/config"
)

// healthTimeout bounds a health check. It is longer than the server needs to find out that an engine does not respond.
const healthTimeout = 8 * time.Second

// healthCheck fails unless the server with the settings of this environment is ready. Container engines run it inside the container,
// where no other program exists.
func healthCheck(cmd *cobra.Command) error {
	address, err := config.ListenAddrFromEnv()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), healthTimeout)
	defer cancel()
	return ready(ctx, address)
}

// ready returns an error unless the server that listens on the address, a WAFT_LISTEN_ADDR, responds that it is ready.
func ready(ctx context.Context, address string) error {
	reached, err := fromHere(address)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+reached+"/readyz", nil)
	if err != nil {
		return err
	}
	// A proxy of the environment must not see the request.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("the server does not respond: %w", err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1000))
	if err != nil {
		return fmt.Errorf("the server does not respond: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the server is not ready: %s %s", res.Status, strings.TrimSpace(string(body)))
	}
	return nil
}

// fromHere returns the address at which this machine reaches a server that listens on the given address: loopback if the server listens
// on all addresses.
func fromHere(listen string) (string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", fmt.Errorf("WAFT_LISTEN_ADDR must be host:port: %w", err)
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "", err == nil && ip.IsUnspecified() && ip.Is4():
		host = "127.0.0.1"
	case err == nil && ip.IsUnspecified():
		host = "::1"
	}
	return net.JoinHostPort(host, port), nil
}
