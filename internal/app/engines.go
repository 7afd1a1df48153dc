package app

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/guard/origins"
	"github.com/waft-ota/waft/internal/guard/outbound"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/telemetry"
)

// clickHousePorts are the default ports of a ClickHouse server: HTTP and the native protocol, each without and with TLS.
var clickHousePorts = []string{"8123", "8443", "9000", "9440"}

// engineAddresses returns the addresses, host:port, of Postgres, ClickHouse, Temporal and its web UI. If ClickHouse uses one of its
// default ports, all of its default ports are included.
func engineAddresses(cfg config.Config) ([]string, error) {
	all, err := pg.Addresses(cfg.DatabaseURL)
	if err != nil {
		return nil, err
	}
	clickHouse, err := telemetry.Addresses(cfg.ClickHouseURL)
	if err != nil {
		return nil, err
	}
	for _, address := range clickHouse {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			host, port = address, clickHousePorts[0]
		}
		ports := []string{port}
		if slices.Contains(clickHousePorts, port) {
			ports = clickHousePorts
		}
		for _, p := range ports {
			all = append(all, net.JoinHostPort(host, p))
		}
	}
	if ui, err := url.Parse(cfg.TemporalUIURL); err == nil && ui.Host != "" {
		port := map[string]string{"http": "80", "https": "443"}[ui.Scheme]
		all = append(all, net.JoinHostPort(ui.Hostname(), cmp.Or(ui.Port(), port)))
	}
	// A name may come with its resolver, as in dns:///temporal:7233.
	return append(all, cfg.TemporalAddress[strings.LastIndexByte(cfg.TemporalAddress, '/')+1:]), nil
}

// targetsOf returns the targets to which Waft may connect on behalf of users: the internet and the networks of a setting, but not the
// engines and the admin addresses.
func targetsOf(cfg config.Config, setting string, networks []string) (outbound.Targets, error) {
	allowed, err := outbound.ParseAllowed(networks)
	if err != nil {
		return outbound.Targets{}, fmt.Errorf("%s: %w", setting, err)
	}
	engines, err := engineAddresses(cfg)
	closed := slices.Concat(engines, []string{cfg.AdminAddr}, cfg.OtherAdminAddrs)
	return outbound.Targets{Allowed: allowed, Setting: setting, Engines: closed}, err
}

// originTable reads the table of origin ASes, nil when no setting names one.
func originTable(cfg config.Config) (*origins.Table, error) {
	if cfg.OriginASTable == "" {
		return nil, nil
	}
	table, err := origins.Open(cfg.OriginASTable)
	if err != nil {
		return nil, fmt.Errorf("WAFT_ORIGIN_AS_TABLE: %w", err)
	}
	return table, nil
}
