package outbound

import (
	"context"
	"errors"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsAnEngine(t *testing.T) {
	t.Parallel()
	everything, err := ParseAllowed([]string{"0.0.0.0/0", "::/0"})
	require.NoError(t, err)
	away := errors.New("the resolver is away")
	names := map[string][]netip.Addr{
		"10.0.0.9": {netip.MustParseAddr("10.0.0.9")}, "postgres": {netip.MustParseAddr("10.0.0.5"), netip.MustParseAddr("fd00::5")},
		"localhost": {netip.MustParseAddr("127.0.0.1")}, "db.example.com": {netip.MustParseAddr("93.184.216.34")},
	}
	g := guard{
		Targets: Targets{Setting: "WAFT_X", Allowed: everything, Engines: []string{"10.0.0.9:7233", "postgres:5432", "localhost:8123", "db.example.com:9440", "gone:1234", "odd", ":8082"}},
		resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			if found := names[host]; found != nil {
				return found, nil
			}
			return nil, away
		},
		own: func() ([]netip.Addr, error) { return []netip.Addr{netip.MustParseAddr("10.0.0.7")}, nil },
	}
	for target, want := range map[string]error{
		"10.0.0.9:7233": refusedEngine, "10.0.0.9:7234": nil, "[::ffff:10.0.0.9]:7233": refusedEngine,
		"10.0.0.5:5432": refusedEngine, "[fd00::5]:5432": refusedEngine, "10.0.0.6:5432": nil, "10.0.0.5:5433": nil,
		"127.0.0.1:8123": refusedEngine, "127.1.2.3:8123": refusedEngine, "[::1]:8123": refusedEngine, "0.0.0.0:8123": refusedEngine,
		"10.0.0.7:8123": refusedEngine, "10.0.0.8:8123": nil, "127.0.0.1:3000": nil,
		"127.0.0.1:8082": refusedEngine, "10.0.0.7:8082": refusedEngine, "10.0.0.8:8082": nil,
		"93.184.216.34:9440": refusedEngine, "93.184.216.34:443": nil,
		"93.184.216.34:1234": away, // it cannot be known
	} {
		require.ErrorIs(t, g.check(t.Context(), target), want, target)
	}
	g.Engines = nil
	g.Allowed = nil
	require.Contains(t, g.refusedNetwork().Error(), "WAFT_X does not allow")
	for _, target := range []string{"10.0.0.7:443", "127.0.0.1:443", "168.63.129.16:80", "name:80"} {
		require.ErrorIs(t, g.check(t.Context(), target), g.refusedNetwork(), target)
	}
	g.own = func() ([]netip.Addr, error) { return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil }
	require.ErrorIs(t, g.check(t.Context(), "93.184.216.34:443"), g.refusedNetwork(), "this host has a public address")
}

func TestTheAddressesOfThisHost(t *testing.T) {
	t.Parallel()
	own, err := interfaceAddresses()
	require.NoError(t, err)
	require.Contains(t, own, netip.MustParseAddr("127.0.0.1"))
}
