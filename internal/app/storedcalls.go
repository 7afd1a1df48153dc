package app

import "github.com/waft-ota/waft/api"

// storedCalls makes approved calls in the worker, by the handlers of the API. These use only what
// operations need that may wait for approvals.
func (a *App) storedCalls() (*api.StoredCalls, error) {
	return api.NewStoredCalls(api.Deps{
		AuthorKeys: a.store, Sessions: a.store, Projects: a.store, Builds: a.store, Releases: a.store, Branches: a.store, Channels: a.store,
		Policies: a.store, Flags: a.store, Segments: a.store, Executions: a.store, UserOverrides: a.store,
		SegmentDevices: a.telemetry, RolloutCommands: a.rollouts, Log: a.log.With("component", "approvals"), Now: a.now,
	})
}
