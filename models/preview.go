package models

// PreviewedChange describes the changes of a call that was executed and then undone.
type PreviewedChange struct {
	Before, After PreviewedState
	// Needed are the approvals that the call would wait for. If Required is 0, only admins may make the call.
	Needed []ApprovalNeeded
	// Goals are the releases that a rollback of a channel returns to. An entry is nil for the embedded update.
	Goals []*RollbackGoal
	// HashedIDs means that the project stores hashes instead of device IDs.
	HashedIDs bool
	// LastReleaseMillis is the project's LastReleaseMillis after the call, 0 if the call does not publish a release.
	LastReleaseMillis int64
	// Overrides is the number of the project's user overrides.
	Overrides int64
}

// PreviewedState is the part of a project that a call affects, before or after the call.
type PreviewedState struct {
	// Releases and Executions are the releases and rollouts that the call wrote, by ID.
	Releases   map[int64]Release
	Executions map[int64]RolloutExecution
	// Served is the snapshot of the channels that the call affects. It does not contain builds, files, flags or keys.
	Served ProjectSnapshot
}

// PreviewQuery selects the devices of some channels, and the devices that run some updates on any channel.
type PreviewQuery struct {
	Channels []string
	// Streams, unless empty, restricts the devices of the channels to these platforms and runtime versions.
	Streams []Stream
	// Updates are the UUIDs of releases.
	Updates []string
}

// SeenDevices are devices, as of their last reports.
type SeenDevices struct {
	// Total is the number of devices. If it is too large, List is only a sample.
	Total int64
	List  []SeenDevice
}

// SeenDevice is a device, as of its last report.
type SeenDevice struct {
	DeviceID string
	Stream
	// UpdateUUID is "" for the embedded update.
	UpdateUUID string
}
