// Package outbound connects to addresses that users name: receivers of webhooks and issuers of ID tokens. It reaches the
// internet, and only those private and special networks that the operator allows.
package outbound

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
)

// Targets describes the addresses that Waft may connect to.
type Targets struct {
	// Allowed are the allowed networks in addition to the internet. Setting is the name of the setting that lists them.
	Allowed []Allowed
	Setting string
	// Engines are the addresses of Postgres, ClickHouse and Temporal, and the admin addresses of Waft, as host:port. They are never
	// allowed, because they may trust every client that can reach them.
	Engines []string
}

// guard checks each address that is connected to.
type guard struct {
	Targets
	// resolve returns the addresses of a host.
	resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	// own returns the addresses of this host's interfaces.
	own func() ([]netip.Addr, error)
}

func newGuard(targets Targets) guard {
	resolve := func(ctx context.Context, host string) ([]netip.Addr, error) {
		return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	}
	return guard{targets, resolve, interfaceAddresses}
}

// refusal is the error for a target that is not allowed.
type refusal string

func (r refusal) Error() string { return string(r) }

const refusedEngine refusal = "the target is an engine of Waft (Postgres, ClickHouse, Temporal) or an admin address, which no setting allows"

func (t Targets) refusedNetwork() refusal {
	return refusal("the target is this host, or in a private or special network, which " + t.Setting + " does not allow")
}

// check returns a refusal of an address, ip:port, that must not be connected to.
func (g guard) check(ctx context.Context, address string) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %q", g.refusedNetwork(), address)
	}
	target = netip.AddrPortFrom(target.Addr().Unmap().WithZone(""), target.Port())
	own, err := g.own()
	if err != nil {
		return fmt.Errorf("the addresses of this host cannot be read: %w", err)
	}
	if !mayReach(target, g.Allowed, own) {
		return fmt.Errorf("%w: %s", g.refusedNetwork(), target.Addr())
	}
	engine, err := g.isEngine(ctx, target, own)
	switch {
	case err != nil:
		return err
	case engine:
		return fmt.Errorf("%w: %s", refusedEngine, target)
	}
	return nil
}

// isEngine reports whether an engine listens at the target. An engine on this host has every address of the host.
func (g guard) isEngine(ctx context.Context, target netip.AddrPort, own []netip.Addr) (bool, error) {
	here := func(a netip.Addr) bool { return a.IsLoopback() || a.IsUnspecified() || slices.Contains(own, a) }
	for _, engine := range g.Engines {
		host, port, err := net.SplitHostPort(engine)
		if err != nil || port != strconv.Itoa(int(target.Port())) {
			continue
		}
		addresses := []netip.Addr{netip.IPv4Unspecified()} // without a host it has every address of this one
		if host != "" {
			addresses, err = g.resolve(ctx, host)
		}
		if err != nil {
			return false, fmt.Errorf("whether the target is an engine of Waft cannot be found out: %w", err)
		}
		for _, address := range addresses {
			address = address.Unmap().WithZone("")
			if address == target.Addr() || here(address) && here(target.Addr()) {
				return true, nil
			}
		}
	}
	return false, nil
}

// interfaceAddresses returns the addresses of this host. They may change while the process runs.
func interfaceAddresses() (own []netip.Addr, err error) {
	all, err := net.InterfaceAddrs()
	for _, one := range all {
		if network, ok := one.(*net.IPNet); ok {
			if address, ok := netip.AddrFromSlice(network.IP); ok {
				own = append(own, address.Unmap())
			}
		}
	}
	return own, err
}

// Refused reports whether the error is of a target that is not allowed, and returns a text without its address.
func Refused(err error) (text string, yes bool) {
	var r refusal
	yes = errors.As(err, &r)
	return string(r), yes
}
