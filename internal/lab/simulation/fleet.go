package simulation

import "slices"

// Fleet contains the number of devices of an app per network.
type Fleet []int64

// Devices returns the number of devices in the fleet.
func (f Fleet) Devices() (n int64) {
	for _, devices := range f {
		n += devices
	}
	return n
}

// networksOfDevices returns the network of each device.
func (f Fleet) networksOfDevices() []int {
	devices := make([]int, 0, f.Devices())
	for network, n := range f {
		for range n {
			devices = append(devices, network)
		}
	}
	return devices
}

// Homes returns a fleet of devices in homes. Out of ten homes, seven have one device, two have two, and one has three.
func Homes(devices int64) Fleet {
	sizes := [...]int64{1, 1, 2, 1, 1, 3, 1, 2, 1, 1}
	var f Fleet
	for i := 0; devices > 0; i++ {
		size := min(sizes[i%len(sizes)], devices)
		f, devices = append(f, size), devices-size
	}
	return f
}

// Singles returns a fleet whose devices each have their own network.
func Singles(devices int64) Fleet { return slices.Repeat(Fleet{1}, int(devices)) }

// Offices returns a fleet of twenty testers in three offices.
func Offices() Fleet { return Fleet{10, 6, 4} }

// Carrier returns a fleet with nine in ten devices in one carrier's network, and the others in homes.
func Carrier(devices int64) Fleet { return append(Fleet{devices - devices/10}, Homes(devices/10)...) }

// Proxy returns a fleet behind one proxy that the server does not know.
func Proxy(devices int64) Fleet { return Fleet{devices} }
