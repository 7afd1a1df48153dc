package simulation

import "slices"

// Fleet is the devices of an app: an element for each network, with how many devices it has.
type Fleet []int64

// Devices is how many devices the fleet has.
func (f Fleet) Devices() (n int64) {
	for _, devices := range f {
		n += devices
	}
	return n
}

// networksOfDevices is the network of each device.
func (f Fleet) networksOfDevices() []int {
	devices := make([]int, 0, f.Devices())
	for network, n := range f {
		for range n {
			devices = append(devices, network)
		}
	}
	return devices
}

// Homes are so many devices in homes: of ten homes seven have one, two have two, one has three.
func Homes(devices int64) Fleet {
	sizes := [...]int64{1, 1, 2, 1, 1, 3, 1, 2, 1, 1}
	var f Fleet
	for i := 0; devices > 0; i++ {
		size := min(sizes[i%len(sizes)], devices)
		f, devices = append(f, size), devices-size
	}
	return f
}

// Singles are so many devices in networks of their own.
func Singles(devices int64) Fleet { return slices.Repeat(Fleet{1}, int(devices)) }

// Offices are twenty testers in three offices.
func Offices() Fleet { return Fleet{10, 6, 4} }

// Carrier is a fleet of which nine in ten devices are in one carrier's network, the others in homes.
func Carrier(devices int64) Fleet { return append(Fleet{devices - devices/10}, Homes(devices/10)...) }

// Proxy is a fleet behind one proxy that the server does not know.
func Proxy(devices int64) Fleet { return Fleet{devices} }
