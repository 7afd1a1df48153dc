package simulation

// World is a fleet whose networks belong to allocations.
type World struct {
	Fleet Fleet
	// Allocation is the allocation of each network of Fleet, from 0, or -1 for a network that is its own allocation.
	Allocation []int
	// Carrier and Country are true for each network that belongs to the carrier, or to one country.
	Carrier, Country []bool
}

// Providers returns a fleet as apps typically have it:
//   - Half of the devices are behind one carrier. Four in five of them are in the /48s of its IPv6 /32, 25 devices per
//     network. The others share 256 /24s in the carrier's four CGNAT /16s.
//   - A tenth of the devices are in offices of 20 devices. Each office has a /24 in a /16 without other devices.
//   - The others are in homes. Each home is a network of one of a hundred small providers, and each provider is one
//     allocation.
//
// A single country has ten of the small providers and a tenth of the offices, but not the carrier.
func Providers(devices int64) World {
	const (
		smallProviders, ofOneCountry = 100, 10
		perPool, perOffice           = 25, 20
		gateways                     = 256
	)
	var w World
	add := func(network int64, allocation int, carrier, country bool) {
		if network > 0 {
			w.Fleet, w.Allocation = append(w.Fleet, network), append(w.Allocation, allocation)
			w.Carrier, w.Country = append(w.Carrier, carrier), append(w.Country, country)
		}
	}
	carrier, offices := devices/2, devices/10
	for left := carrier * 4 / 5; left > 0; left -= perPool {
		add(min(left, perPool), smallProviders, true, false)
	}
	shared := carrier - carrier*4/5
	for i := range int64(gateways) {
		add((shared+i)/gateways, smallProviders+1+int(i%4), true, false)
	}
	for left, i := offices, 0; left > 0; left, i = left-perOffice, i+1 {
		add(min(left, perOffice), alone, false, i%10 == 0)
	}
	for i, home := range Homes(devices - carrier - offices) {
		provider := i % smallProviders
		add(home, provider, false, provider < ofOneCountry)
	}
	return w
}
