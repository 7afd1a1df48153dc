package models

// PreviewedChange is what a call changed that was undone.
type PreviewedChange struct {
	Before, After PreviewedState
	// Needed are the approvals that the call would wait for; one with Required 0 is for admins only.
	Needed []ApprovalNeeded
	// HashedIDs says that the project stores hashes in place of device ids.
	HashedIDs bool
	// LastReleaseMillis is that of the project after the call, 0 when it publishes nothing.
	LastReleaseMillis int64
	// Overrides is how many users the project sends to another branch than their channel's.
	Overrides int64
}

// PreviewedState is a project before or after a call, as far as the call concerns it.
type PreviewedState struct {
	// Releases and Executions are those that the call wrote, by id.
	Releases   map[int64]Release
	Executions map[int64]RolloutExecution
	// Served is what the channels that the call concerns are served from. It has no builds, files, flags and keys.
	Served ProjectSnapshot
}

// PreviewQuery asks for the devices of some channels, and for those that run some updates, whatever their channel.
type PreviewQuery struct {
	Channels []string
	// Streams, when there are any, leave out devices of the channels with other platforms and runtime versions.
	Streams []Stream
	// Updates are the UUIDs of releases.
	Updates []string
}

// SeenDevices are devices by their last reports.
type SeenDevices struct {
	// Total is how many there are. When there are too many, List is a sample of them.
	Total int64
	List  []SeenDevice
}

// SeenDevice is what a device last reported.
type SeenDevice struct {
	DeviceID string
	Stream
	// UpdateUUID is "" for the embedded update.
	UpdateUUID string
}
