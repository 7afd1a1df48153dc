package models

// ReleaseDevices counts the devices whose last report is of a release, in the last OverviewHours.
type ReleaseDevices struct {
	Devices int64
	// OfTargets counts all devices of the release's targets: the target that it was published to, and the targets of its
	// devices.
	OfTargets int64
}

// DevicesByRelease returns the devices of releases by release ID, from the activity of the project's targets.
func DevicesByRelease(releases []Release, active []StreamActivity) map[int64]ReleaseDevices {
	// Positions of the targets in active, by update ID and by name.
	running, named := map[string][]int{}, map[Stream]int{}
	devices := map[string]int64{}
	for i, s := range active {
		named[s.Stream] = i
		for _, u := range s.Updates {
			running[u.UpdateUUID] = append(running[u.UpdateUUID], i)
			devices[u.UpdateUUID] += u.Devices
		}
	}
	found := make(map[int64]ReleaseDevices, len(releases))
	for _, r := range releases {
		id := r.UpdateUUID.String()
		targets := map[int]bool{}
		for _, i := range running[id] {
			targets[i] = true
		}
		if r.Channel != nil {
			if i, ok := named[Stream{Channel: *r.Channel, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion}]; ok {
				targets[i] = true
			}
		}
		on := ReleaseDevices{Devices: devices[id]}
		for i := range targets {
			on.OfTargets += active[i].Devices
		}
		found[r.ID] = on
	}
	return found
}
