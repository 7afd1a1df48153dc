package outbound

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// globalUnicast has all IPv6 addresses of the internet. Addresses that contain IPv4 ones (mapped,
// compatible, NAT64), loopback, link-local, unique local and multicast addresses are outside of it.
var globalUnicast = netip.MustParsePrefix("2000::/3")

// special are the networks in IANA's registries of special-purpose addresses (RFC 6890). They include
// 169.254.169.254, 100.100.100.200 and 192.0.0.192, the metadata services of clouds. Azure's wire server is listed separately, because it hands out the
// machine's credentials but has a public address.
var special = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	"168.63.129.16/32",
)

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// Allowed is a network that may be connected to, at one port or, when Port is 0, at each.
type Allowed struct {
	Network netip.Prefix
	Port    uint16
}

func (a Allowed) holds(target netip.AddrPort) bool {
	return a.Network.Contains(target.Addr()) && (a.Port == 0 || a.Port == target.Port())
}

// ParseAllowed parses addresses and networks, with or without a port, such as 10.0.0.7, 10.0.0.0/8:8080 or [fd12::/32]:8080.
func ParseAllowed(texts []string) (all []Allowed, err error) {
	for _, text := range texts {
		one, ok := parseAllowed(text)
		if !ok {
			return nil, fmt.Errorf("%q is neither an address nor a network such as 10.0.0.0/8, nor one of these with a port "+
				"such as 10.0.0.7:8080 or [fd12::/32]:8080", text)
		}
		all = append(all, one)
	}
	return all, nil
}

func parseAllowed(text string) (Allowed, bool) {
	if network, err := netip.ParsePrefix(text); err == nil {
		return Allowed{Network: network.Masked()}, true
	}
	if address, err := netip.ParseAddr(text); err == nil {
		return Allowed{Network: single(address)}, true
	}
	if target, err := netip.ParseAddrPort(text); err == nil {
		return Allowed{single(target.Addr()), target.Port()}, target.Port() > 0
	}
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return Allowed{}, false
	}
	network, err := netip.ParsePrefix(strings.TrimSuffix(strings.TrimPrefix(text[:i], "["), "]"))
	port, badPort := strconv.ParseUint(text[i+1:], 10, 16)
	return Allowed{network.Masked(), uint16(port)}, err == nil && badPort == nil && port > 0
}

// single returns the network that contains only the address.
func single(address netip.Addr) netip.Prefix {
	address = address.Unmap().WithZone("")
	return netip.PrefixFrom(address, address.BitLen())
}

// mayReach reports whether a target may be connected to: it is on the internet and not this host, or allowed. own
// are the host's addresses.
func mayReach(target netip.AddrPort, allowed []Allowed, own []netip.Addr) bool {
	address := target.Addr()
	switch {
	case !address.IsValid():
		return false
	case slices.ContainsFunc(allowed, func(a Allowed) bool { return a.holds(target) }):
		return true
	case slices.ContainsFunc(special, func(n netip.Prefix) bool { return n.Contains(address) }), slices.Contains(own, address):
		return false
	}
	return address.Is4() || globalUnicast.Contains(address)
}
