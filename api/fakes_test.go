package api

import (
	"net/http"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/internal/guard/knowndevices"
	"github.com/waft-ota/waft/internal/identity/sso"
)

// fakes are the services behind the handlers of a testAPI, one fake per interface. Each test sets the functions that
// it needs.
type fakes struct {
	fakeKeys
	fakePasswords
	people     fakePeople
	publishers fakePublishers
	fakeAPIKeys
	fakeProjects
	fakeIdempotency
	fakeBuilds
	fakeBlobs
	fakeFiles
	fakeReleases
	fakeBranches
	fakeChannels
	fakeUserOverrides
	fakePolicies
	fakeExecutions
	fakeApprovals
	fakeRolloutCommands
	fakeChanges
	fakeProjectFeed
	fakeContexts
	fakeSegmentDevices
	fakeWebhooks
	fakeSigningKeys
	fakeAudit
	fakeSettings
	fakeCollector
	fakeEraser
	fakeReports
	fakeExposures
	fakeRefusedCounter
	fakeEvaluations
	fakeEvaluatedContexts
	fakeUpdateNames
	fakeIncidents
	flags    fakeFlags
	segments fakeSegments
	insights fakeInsights
}

// deps returns working parts, except for the snapshots.
func (f *fakes) deps() parts {
	return parts{
		Keys: &f.fakeKeys, Sessions: &f.people, People: &f.people, Positions: &f.people, Members: fakeMembers{}, Passwords: &f.fakePasswords,
		BaseURL:  "https://ota.example.com",
		Networks: &f.people, Passkeys: &f.people, Terminals: &f.people, SessionKeys: testSessionKeys,
		IdentityProviders: sso.New(nil, nil), CookieKey: make([]byte, 32), Projects: &f.fakeProjects, APIKeys: &f.fakeAPIKeys,
		TrustedPublishers: &f.publishers, Publishers: &f.publishers, UserProjects: &f.people, IDTokens: &f.publishers, Builds: &f.fakeBuilds,
		Blobs: &f.fakeBlobs, Files: &f.fakeFiles, FileParts: &f.fakeFiles, Releases: &f.fakeReleases, Branches: &f.fakeBranches, Channels: &f.fakeChannels,
		Policies: &f.fakePolicies, Flags: &f.flags, Schedules: &f.flags, Segments: &f.segments, Executions: &f.fakeExecutions, Approvals: &f.fakeApprovals,
		Operations: operations.Operations{
			Releases: struct {
				*fakeReleases
				*fakeChannels
				*fakeUserOverrides
			}{&f.fakeReleases, &f.fakeChannels, &f.fakeUserOverrides},
			Rollouts: struct {
				*fakeExecutions
				fakeStops
			}{&f.fakeExecutions, fakeStops{}},
			Commands: &f.fakeRolloutCommands,
			Flags: struct {
				*fakeFlags
				*fakeSegments
			}{&f.flags, &f.segments},
			Approvals: &f.fakeApprovals,
			Authors: struct {
				*fakeKeys
				*fakePeople
			}{&f.fakeKeys, &f.people},
		},
		Endings: &f.fakeChanges, Changes: &f.fakeChanges, ProjectFeed: &f.fakeProjectFeed, Audit: &f.fakeAudit,
		Idempotency: &f.fakeIdempotency, Previews: fakePreviews{}, EmergencyStops: fakeStops{},
		UserOverrides: &f.fakeUserOverrides, Contexts: &f.fakeContexts,
		Webhooks: &f.fakeWebhooks, SigningKeys: &f.fakeSigningKeys, Settings: &f.fakeSettings,
		Collector: &f.fakeCollector, Eraser: &f.fakeEraser, Reports: &f.fakeReports, Exposures: &f.fakeExposures,
		RefusedCounter: &f.fakeRefusedCounter, Evaluations: &f.fakeEvaluations, EvaluatedContexts: &f.fakeEvaluatedContexts,
		Insights: &f.insights, SegmentDevices: &f.fakeSegmentDevices, UpdateNames: &f.fakeUpdateNames, Overviews: fakeOverviews{}, Observed: &f.insights,
		Incidents: &f.fakeIncidents, ErrorGroups: fakeErrorGroups{}, ErrorStatuses: fakeErrorStatuses{}, ReleasePlaces: fakeErrorGroups{},
		SourceMaps: fakeSourceMaps{}, SourceMapStore: fakeSourceMaps{}, Stacks: fakeSourceMaps{}, Stager: fakeAssets{}, Assets: fakeAssets{}, Patches: fakePatches{},
		PatchFiles: fakeAssets{}, KnownDevices: knowndevices.New(),
	}
}

// fakeReference is the page of /docs.
type fakeReference struct{}

func (fakeReference) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Security-Policy", "default-src 'none'")
	_, _ = w.Write([]byte("the reference"))
}
