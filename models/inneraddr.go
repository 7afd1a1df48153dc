package models

import "net/netip"

// Prefixes of IPv6 addresses that contain the client's IPv4 address. The holder of one IPv4 address can use all addresses of a 6to4
// /48 (RFC 3056) and 65,536 Teredo addresses, one per UDP port (RFC 4380).
var (
	sixToFour = netip.MustParsePrefix("2002::/16")
	teredo    = netip.MustParsePrefix("2001::/32")
)

// InnerAddr returns the IPv4 address that a 6to4, Teredo or IPv4-mapped address contains. It returns every other address
// without its zone.
func InnerAddr(at netip.Addr) netip.Addr {
	at = at.Unmap().WithZone("")
	switch {
	case sixToFour.Contains(at):
		bytes := at.As16()
		return netip.AddrFrom4([4]byte(bytes[2:6]))
	case teredo.Contains(at):
		bytes := at.As16()
		for i := 12; i < 16; i++ {
			bytes[i] ^= 0xff // the standard inverts the client's address, so that no NAT on the way rewrites it
		}
		return netip.AddrFrom4([4]byte(bytes[12:16]))
	default:
		return at
	}
}
