package app

import "github.com/waft-ota/waft/api"

// storedCalls makes approved calls in the worker, by the handlers of the API.
func (a *App) storedCalls() (*api.StoredCalls, error) {
	return api.NewStoredCalls(api.StoredCallDeps{
		AuthorKeys: a.store, Sessions: a.store, Projects: a.store, Builds: a.store, Releases: a.store, Channels: a.store,
		UserOverrides: a.store, Executions: a.store, RolloutCommands: a.rollouts, EmergencyStops: a.store, Flags: a.store, Segments: a.store,
		SegmentDevices: a.telemetry, Names: a.store, Log: a.log.With("component", "approvals"), Now: a.now,
	})
}
