package models

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestANetworkIsHashedUnderItsKey(t *testing.T) {
	t.Parallel()
	key, other := []byte(strings.Repeat("k", 32)), []byte(strings.Repeat("o", 32))
	of := func(key []byte, address string) NetworkHash { return HashNetwork(key, netip.MustParseAddr(address)) }
	require.Equal(t, of(key, "192.0.2.1"), of(key, "192.0.2.255"))
	require.Equal(t, of(key, "192.0.2.1"), of(key, "::ffff:192.0.2.9"))
	require.NotEqual(t, of(key, "192.0.2.1"), of(key, "192.0.3.1"))
	require.NotEqual(t, of(key, "192.0.2.1"), of(other, "192.0.2.1"))
	require.Equal(t, of(key, "2001:db8:1::1"), of(key, "2001:db8:1:ffff::1%eth0"))
	require.NotEqual(t, of(key, "2001:db8:1::1"), of(key, "2001:db8:2::1"))
	require.NotEqual(t, HashOwnNetwork(key, "a"), HashOwnNetwork(key, "b"))
	require.NotEqual(t, HashOwnNetwork(key, "a"), HashOwnNetwork(other, "a"))
	require.NotEqual(t, HashOwnNetwork(key, "\xc0\x00\x02\x00"), of(key, "192.0.2.1"), "no device is called like a network")
	require.NotZero(t, HashNetwork(key, netip.Addr{}))
	require.NotEqual(t, HashNetwork(key, netip.Addr{}), of(key, "0.0.0.0"))
	long := strings.Repeat("d", 300)
	require.NotEqual(t, HashOwnNetwork(key, long), HashOwnNetwork(key, long+"e"))
}

func TestANetworkIsThatOfTheIPv4AddressInside(t *testing.T) {
	t.Parallel()
	for address, network := range map[string]string{
		"::ffff:192.0.2.9":                      "192.0.2.0/24",
		"2002:c000:0209::1":                     "192.0.2.0/24",
		"2002:c000:0209:ffff::1":                "192.0.2.0/24",
		"2001:0:5ef5:79fd:0:59d:3fff:fdf6":      "192.0.2.0/24",
		"2001:0:5ef5:79fd:0:ffff:3fff:fdf6%eth": "192.0.2.0/24",
		"2001:1::1":                             "2001:1::/48",
		"2003::1":                               "2003::/48",
	} {
		require.Equal(t, network, Network(netip.MustParseAddr(address)).String(), address)
	}
	require.False(t, Network(netip.Addr{}).IsValid())
}

func TestAnAllocationIsHashedUnderItsKey(t *testing.T) {
	t.Parallel()
	key, other := []byte(strings.Repeat("k", 32)), []byte(strings.Repeat("o", 32))
	of := func(key []byte, address string) AllocationHash {
		return HashAllocation(key, netip.MustParseAddr(address))
	}
	require.Equal(t, of(key, "192.0.2.1"), of(key, "192.0.255.1"))
	require.NotEqual(t, of(key, "192.0.2.1"), of(key, "192.1.2.1"))
	require.NotEqual(t, of(key, "192.0.2.1"), of(other, "192.0.2.1"))
	require.Equal(t, of(key, "2001:db8:1::1"), of(key, "2001:db8:ffff::1"))
	require.NotEqual(t, of(key, "2001:db8:1::1"), of(key, "2001:db9:1::1"))
	require.Equal(t, of(key, "192.0.2.1"), of(key, "2002:c000:0209::1"), "6to4 is in the allocation of the address inside")
	require.NotEqual(t, uint64(of(key, "192.0.0.1")), uint64(HashNetwork(key, netip.MustParseAddr("192.0.0.1"))))
	require.Zero(t, HashAllocation(key, netip.Addr{}))
}

func TestTrustedNetworks(t *testing.T) {
	t.Parallel()
	check := func(networks ...string) error { return SettingsPatch{TrustedNetworks: &networks}.Validate() }
	require.NoError(t, SettingsPatch{}.Validate())
	require.NoError(t, check())
	require.NoError(t, check("203.0.113.0/24", "203.0.113.7/32", "2001:db8::/48", "0.0.0.0/0"))
	for network, fix := range map[string]string{
		"":                    "203.0.113.0/24 or 2001:db8::/48",
		"203.0.113.7":         "203.0.113.0/24 or 2001:db8::/48",
		"office":              "office",
		"203.0.113.7/24":      "203.0.113.0/24",
		"::ffff:10.0.0.0/104": "IPv4",
		"fe80::%eth0/64":      "such as",
	} {
		err := check("10.0.0.0/8", network)
		require.ErrorContains(t, err, "trustedNetworks", network)
		require.ErrorContains(t, err, fix)
	}
	many := strings.Split(strings.Repeat("10.0.0.0/8 ", 101), " ")[:101]
	require.ErrorContains(t, check(many...), "at most 100")
	require.NoError(t, check(many[:100]...))
}
