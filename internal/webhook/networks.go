package webhook

import (
	"fmt"
	"net/netip"
	"slices"
)

// globalUnicast has all IPv6 addresses of the internet. Addresses that contain IPv4 ones (mapped,
// compatible, NAT64), loopback, link-local, unique local and multicast addresses are outside of it.
var globalUnicast = netip.MustParsePrefix("2000::/3")

// special are the networks in IANA's registries of special-purpose addresses (RFC 6890).
var special = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// ParseNetworks parses networks such as 10.0.0.0/8 and single addresses.
func ParseNetworks(texts []string) (networks []netip.Prefix, err error) {
	for _, text := range texts {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			address, notAddress := netip.ParseAddr(text)
			if notAddress != nil {
				return nil, fmt.Errorf("%q is neither an address nor a network such as 10.0.0.0/8", text)
			}
			network = netip.PrefixFrom(address.WithZone(""), address.BitLen())
		}
		networks = append(networks, network.Masked())
	}
	return networks, nil
}

// mayReach reports whether messages may be sent to an address: it is on the internet or in an allowed
// network.
func mayReach(address netip.Addr, allowed []netip.Prefix) bool {
	address = address.Unmap().WithZone("")
	holds := func(n netip.Prefix) bool { return n.Contains(address) }
	switch {
	case !address.IsValid():
		return false
	case slices.ContainsFunc(allowed, holds):
		return true
	case slices.ContainsFunc(special, holds):
		return false
	}
	return address.Is4() || globalUnicast.Contains(address)
}
