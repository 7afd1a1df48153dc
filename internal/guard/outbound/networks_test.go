package outbound

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhichAddressesMayBeReached(t *testing.T) {
	t.Parallel()
	for text, may := range map[string]bool{
		"93.184.216.34": true, "1.1.1.1": true, "100.63.255.255": true, "100.128.0.0": true, "172.32.0.1": true, "198.20.0.1": true,
		"2606:4700::1111": true, "2001:4860:4860::8888": true, "::ffff:93.184.216.34": true, "3fff:1000::1": true,

		"0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "10.255.255.255": false, "100.64.0.1": false, "100.127.255.255": false,
		"127.0.0.1": false, "127.255.0.1": false, "169.254.169.254": false, "169.254.170.2": false, "172.16.0.1": false, "172.31.255.255": false,
		"192.0.0.1": false, "192.0.0.192": false, "192.0.2.1": false, "192.88.99.1": false, "192.168.1.1": false, "198.18.0.1": false,
		"198.19.255.255": false, "198.51.100.1": false, "203.0.113.1": false, "224.0.0.1": false, "239.255.255.250": false, "240.0.0.1": false,
		"255.255.255.255": false, "168.63.129.16": false, "168.63.129.17": true, "100.100.100.200": false, "169.254.170.23": false,

		"::": false, "::1": false, "::127.0.0.1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::ffff:169.254.169.254": false,
		"64:ff9b::7f00:1": false, "64:ff9b::a9fe:a9fe": false, "64:ff9b:1::a00:1": false, "100::1": false, "2001::1": false, "2001:20::1": false,
		"2001:db8::1": false, "2002:7f00:1::1": false, "3fff::1": false, "5f00::1": false, "fc00::1": false, "fd00:ec2::254": false,
		"fe80::1": false, "fe80::1%eth0": false, "fec0::1": false, "ff02::1": false, "4000::1": false,
	} {
		address := netip.MustParseAddr(text).Unmap().WithZone("")
		require.Equal(t, may, mayReach(netip.AddrPortFrom(address, 443), nil, nil), text)
	}
	require.False(t, mayReach(netip.AddrPort{}, nil, nil))
}

func TestAllowedNetworksMayBeReached(t *testing.T) {
	t.Parallel()
	allowed, err := ParseAllowed([]string{
		"10.1.0.0/16", "127.0.0.1", "fd00::/8", "10.2.3.4/16", "192.168.1.1:8080", "172.16.0.0/12:9000", "[fc00::7]:80", "[fc12::/32]:80", "168.63.129.16",
	})
	require.NoError(t, err)
	own := []netip.Addr{netip.MustParseAddr("93.184.216.35"), netip.MustParseAddr("10.1.0.9")}
	for text, may := range map[string]bool{
		"10.1.2.3:1": true, "10.2.9.9:1": true, "10.3.0.1:1": false, "127.0.0.1:1": true, "127.0.0.2:1": false,
		"[fd12::1]:1": true, "[fc00::1]:1": false, "169.254.169.254:80": false, "93.184.216.34:1": true, "[fe80::1]:1": false,
		"192.168.1.1:8080": true, "192.168.1.1:8081": false, "192.168.1.2:8080": false, "172.16.9.9:9000": true, "172.16.9.9:9001": false,
		"[fc00::7]:80": true, "[fc00::7]:81": false, "[fc12::7]:80": true, "[fc12::7]:443": false, "168.63.129.16:80": true,
		"93.184.216.35:443": false, "10.1.0.9:443": true, // addresses of this host; only the second is listed
	} {
		require.Equal(t, may, mayReach(netip.MustParseAddrPort(text), allowed, own), text)
	}
	for _, text := range []string{"", "localhost", "10.0.0.0/33", "10.0.0", "*", "10.0.0.1:0", "10.0.0.1:65536", "10.0.0.0/8:", ":80", "localhost:80"} {
		_, err := ParseAllowed([]string{text})
		require.ErrorContains(t, err, "10.0.0.0/8", text)
	}
}
