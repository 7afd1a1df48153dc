package models

// DeviceGroup is what devices have in common as far as their reports tell.
type DeviceGroup struct {
	// Key tells groups of a project apart.
	Key            uint64
	UpdateUUID     string // "" for the bundle inside the app
	Channel        string
	Platform       Platform
	RuntimeVersion string
}
