package models

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/netip"
)

// NetworkHash is a 64-bit keyed hash of the network that a device was served from. Waft stores it instead of the network.
// The zero value stands for an unknown network; all devices whose network is unknown share it.
type NetworkHash uint64

// AllocationHash is a 64-bit keyed hash of the allocation that a network belongs to. The zero value is for a network that
// counts as an allocation of its own.
type AllocationHash uint64

// Networks of clients are IPv4 /24 and IPv6 /48: the most that one subscriber or one office usually has.
const (
	networkBitsV4 = 24
	networkBitsV6 = 48
)

// Allocations are IPv4 /16 and IPv6 /32: the blocks that a registry assigns to a provider, and that one contract can buy.
const (
	allocationBitsV4 = 16
	allocationBitsV6 = 32
)

// Network returns the network of an address: an IPv4 /24 or an IPv6 /48. For an address that contains an IPv4 address, such
// as a 6to4 address, it is the network of the IPv4 address. The network of an invalid address is invalid.
func Network(from netip.Addr) netip.Prefix {
	return prefix(from, networkBitsV4, networkBitsV6)
}

// Allocation returns the allocation that Network(from) belongs to: an IPv4 /16 or an IPv6 /32. The allocation of an invalid
// address is invalid.
func Allocation(from netip.Addr) netip.Prefix {
	return prefix(from, allocationBitsV4, allocationBitsV6)
}

func prefix(from netip.Addr, bitsV4, bitsV6 int) netip.Prefix {
	from = InnerAddr(from)
	bits := bitsV6
	if from.Is4() {
		bits = bitsV4
	}
	masked, _ := from.Prefix(bits) // fails only for an invalid address
	return masked
}

// Domain separators of the hashes. They ensure that a device cannot choose an ID whose hash equals the hash of a network.
const (
	hashedPrefix     byte = 'p'
	hashedDevice     byte = 'd'
	hashedAllocation byte = 'a'
	hashedOrigin     byte = 'o'
)

// HashNetwork returns the hash of the network of an address, with the key of the project. All invalid addresses have the
// same hash.
func HashNetwork(key []byte, from netip.Addr) NetworkHash {
	var buffer [16]byte
	prefix, _ := Network(from).Addr().AppendBinary(buffer[:0]) // it never fails
	return hashNetwork(key, hashedPrefix, prefix)
}

// HashAllocation returns the hash of the allocation of an address, with the key of the project. It is zero for an invalid
// address, whose network counts as an allocation of its own.
func HashAllocation(key []byte, from netip.Addr) AllocationHash {
	if !from.IsValid() {
		return 0
	}
	var buffer [16]byte
	prefix, _ := Allocation(from).Addr().AppendBinary(buffer[:0]) // it never fails
	return AllocationHash(hashNetwork(key, hashedAllocation, prefix))
}

// HashOrigin returns the hash of the allocation that consists of all networks of an autonomous system (AS), with the key of
// the project.
func HashOrigin(key []byte, number uint32) AllocationHash {
	return AllocationHash(hashNetwork(key, hashedOrigin, binary.BigEndian.AppendUint32(nil, number)))
}

// HashOwnNetwork returns the hash of a network that consists of one device. identity is the device's identity in telemetry.
func HashOwnNetwork(key []byte, identity string) NetworkHash {
	var buffer [128]byte
	return hashNetwork(key, hashedDevice, append(buffer[:0], identity...))
}

// hashNetwork returns a keyed hash. It does not need an HMAC, because truncating SHA-256 to 64 bits rules out length extension.
func hashNetwork(key []byte, of byte, text []byte) NetworkHash {
	var buffer [256]byte
	sum := sha256.Sum256(append(append(append(buffer[:0], key...), of), text...))
	return NetworkHash(binary.BigEndian.Uint64(sum[:]))
}

// ParseNetworks parses networks such as 10.0.0.0/8. An address is a network that contains only that address.
func ParseNetworks(texts []string) ([]netip.Prefix, error) {
	networks := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		at, err := netip.ParseAddr(text)
		if err == nil {
			networks[i] = netip.PrefixFrom(at.WithZone(""), at.BitLen())
			continue
		}
		if networks[i], err = netip.ParsePrefix(text); err != nil {
			return nil, fmt.Errorf("%.50q is neither an address nor a network such as 10.0.0.0/8", text)
		}
	}
	return networks, nil
}

// maxTrustedNetworks is the maximum number of Settings.TrustedNetworks. Waft compares the address of each device that it
// serves with all of them.
const maxTrustedNetworks = 100

func checkTrustedNetworks(p *Problems, field string, networks []string) {
	if len(networks) > maxTrustedNetworks {
		p.Add(field, "must list at most %d networks; merge adjacent networks into one", maxTrustedNetworks)
		return
	}
	for _, text := range networks {
		network, err := netip.ParsePrefix(text)
		switch {
		case err != nil:
			p.Add(field, "must list networks such as 203.0.113.0/24 or 2001:db8::/48, not %.50q", text)
		case network.Addr().Is4In6():
			p.Add(field, "must list IPv4 networks in the form 203.0.113.0/24, not %.50q", text)
		case network != network.Masked():
			p.Add(field, "must list each network by its first address: %s, not %.50q", network.Masked(), text)
		}
	}
}
