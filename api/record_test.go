package api

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/manage/builds"
	"github.com/waft-ota/waft/api/manage/project"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/manage/rollouts"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

func TestTimesHaveExactlyMilliseconds(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("east", 2*60*60)
	for want, at := range map[string]time.Time{
		`"2026-01-02T03:04:05.000Z"`: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		`"2026-01-02T03:04:05.600Z"`: time.Date(2026, 1, 2, 3, 4, 5, 6e8, time.UTC),
		`"2026-01-02T03:04:05.999Z"`: time.Date(2026, 1, 2, 5, 4, 5, 999_999_999, zone),
	} {
		got, err := json.Marshal(rest.Time{Time: at})
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}

// object returns the JSON of a record as a map.
func object(t *testing.T, record any) map[string]any {
	t.Helper()
	data, err := json.Marshal(record)
	require.NoError(t, err)
	var out map[string]any
	require.NoError(t, json.Unmarshal(data, &out))
	return out
}

func TestEmptyRecordsHaveNullsAndEmptyListsInTheirPlaces(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		record any
		want   map[string]any
		keys   []string
	}{
		"build": {
			builds.BuildRecord(models.Build{}),
			map[string]any{"clientConfig": nil, "assets": []any{}, "embeddedUpdateId": nil, "uploadedBy": nil, "releases": []any{}},
			[]string{
				"id", "uuid", "buildUuid", "platform", "runtimeVersion", "message", "clientConfig", "gitCommitHash", "gitBranch", "gitAuthor",
				"embeddedUpdateId", "status", "assets", "assetCount", "sizeBytes", "newAssetCount", "newBytes", "sourceMapBytes",
				"uploadedBy", "releases", "hasMoreReleases", "createdAt",
			},
		},
		"update": {
			releases.UpdateRecord(models.Release{}),
			map[string]any{
				"buildId": nil, "channel": nil, "republishedFromId": nil, "republishedFromMessage": nil, "rolledBackUpdateIds": []any{},
				"rolloutExecutionId": nil, "linkedFlags": []any{}, "disabledAt": nil, "disabledBy": nil, "disabledReason": "",
			},
			[]string{
				"id", "updateId", "updateUuid", "groupId", "buildId", "branchName", "channel", "platform", "runtimeVersion", "isEnabled",
				"isCritical", "rolloutPercentage", "releaseMessage", "kind", "republishedFromId", "republishedFromMessage",
				"rolledBackUpdateIds",
				"rolloutExecutionId", "linkedFlags", "gitCommitHash", "gitBranch", "gitAuthor", "assetCount", "sizeBytes", "createdAt",
				"updatedAt", "disabledAt", "disabledBy", "disabledReason",
			},
		},
		"branch": {
			releases.BranchRecord(models.Branch{}), map[string]any{"latestUpdates": []any{}, "channels": []any{}},
			[]string{"id", "name", "createdAt", "latestUpdates", "channels"},
		},
		"channel": {
			releases.ChannelRecord(models.Channel{}),
			map[string]any{"rolloutBranchName": nil, "rolloutPercentage": nil, "minRuntimeVersion": nil, "isPaused": false},
			[]string{
				"id", "name", "branchName", "rolloutBranchName", "rolloutPercentage", "minRuntimeVersion", "isPaused",
				"isProtected", "requiredApprovals", "createdAt", "updatedAt",
			},
		},
		"policy": {
			rollouts.PolicyRecord(models.RolloutPolicy{}),
			map[string]any{"channel": nil, "stages": []any{}, "runningExecutions": []any{}},
			[]string{
				"id", "name", "description", "channel", "isActive", "stages", "thresholds", "createdAt", "updatedAt",
				"startAt", "timeZone", "freezeWindows",
				"runningExecutions",
			},
		},
		"execution": {
			rollouts.ExecutionRecord(models.RolloutExecution{}),
			map[string]any{
				"policyId": nil, "channel": nil, "waitingFor": nil, "wait": nil, "pausedAt": nil, "endedAt": nil, "health": nil, "successor": nil, "workflowUrl": nil,
				"linkedFlags": []any{}, "timeline": []any{}, "stages": []any{},
			},
			[]string{
				"id", "policyId", "policyName", "updateId", "updateUuid", "groupId", "channel", "platform", "runtimeVersion",
				"releaseMessage", "gitCommitHash", "gitAuthor", "status", "stageIndex", "stageCount", "stages", "thresholds", "schedule", "percentage", "waitingFor",
				"wait", "reason", "startedAt", "stageStartedAt", "pausedAt", "endedAt", "health", "linkedFlags", "successor", "workflowId", "runId",
				"workflowUrl", "timeline",
			},
		},
		"audit entry": {
			project.AuditRecord(models.AuditEntry{}, true), map[string]any{"details": map[string]any{}},
			[]string{
				"id", "action", "actorType", "actorId", "actorName", "entityType", "entityId", "details", "requestId",
				"changeId", "subject", "createdAt",
			},
		},
		"key": {
			project.APIKeyRecord(models.APIKey{SecretHash: []byte("secret")}),
			map[string]any{"expiresAt": nil, "lastUsedAt": nil, "revokedAt": nil, "publisherId": nil, "channels": nil, "madeBy": nil},
			[]string{"id", "name", "role", "prefix", "expiresAt", "lastUsedAt", "revokedAt", "createdAt", "publisherId", "channels", "madeBy"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := object(t, tc.record)
			var keys []string
			for key := range got {
				keys = append(keys, key)
			}
			require.ElementsMatch(t, tc.keys, keys)
			for key, want := range tc.want {
				require.Equal(t, want, got[key], key)
			}
		})
	}
}

func TestAnExecutionShowsItsHealthAndTimeline(t *testing.T) {
	t.Parallel()
	votes := models.Votes{Networks: 150, Errored: models.Tally{Sum: 3.5}, Crashed: models.Tally{Sum: 1.0 / 3}}
	look := &models.Observation{
		ReleaseHealth: models.ReleaseHealth{Devices: 200, Launches: 400, ErroredDevices: 4, CrashedDevices: 1, NotServedDevices: 5, NotInShareDevices: 2, RateLimitedDevices: 3, Votes: votes,
			Events: []models.EventHealth{{
				Name: "paid", Direction: models.EventBelow, Devices: 100, ReportedDevices: 40,
				Votes: models.EventVotes{Networks: 50, Affected: models.Tally{Sum: 30.25}},
			}}},
		ErrorRate: 2, CrashRate: 0.5, Evidence: 1.25, CheckedAt: now,
	}
	got := object(t, rollouts.ExecutionRecord(models.RolloutExecution{
		ID: 21, UpdateUUID: uuid.MustParse(rest.ExampleUUID), WaitingFor: models.WaitData, Health: look, PausedAt: &now,
		Stages:   []models.Stage{{Percentage: 5, MinDurationMinutes: 0.5, Thresholds: &models.Thresholds{CrashRate: new(1.0)}}, {Percentage: 100}},
		Timeline: []models.RolloutEvent{{At: now, Event: models.EventStarted, Actor: "ci", ToStage: 0, Percentage: 5, Reason: "began", Health: look}},
	}))
	health := map[string]any{
		"events": []any{map[string]any{
			"name": "paid", "direction": "below", "devices": 100.0, "reportedDevices": 40.0, "rate": 40.0,
			"votes": map[string]any{"networks": 50.0, "allocations": 0.0, "weight": 50.0, "reported": 19.75},
		}},
		"devices": 200.0, "launches": 400.0, "erroredDevices": 4.0, "crashedDevices": 1.0, "errorRate": 2.0,
		"crashRate": 0.5, "evidence": 1.25, "checkedAt": "2026-03-14T09:26:53.589Z",
		"votes": map[string]any{
			"networks": 150.0, "allocations": 0.0, "weight": 150.0, "errored": 3.5, "crashed": 0.333,
		},
		"ignoredDevices": 10.0, "ignoredReasons": map[string]any{"notServed": 5.0, "notInShare": 2.0, "rateLimited": 3.0},
	}
	require.Equal(t, health, got["health"])
	require.Equal(t, "data", got["waitingFor"])
	require.Equal(t, "2026-03-14T09:26:53.589Z", got["pausedAt"])
	require.Equal(t, 2.0, got["stageCount"])
	require.Equal(t, []any{
		map[string]any{"percentage": 5.0, "minDevices": 0.0, "minDurationMinutes": 0.5, "thresholds": map[string]any{"crashRate": 1.0}},
		map[string]any{"percentage": 100.0, "minDevices": 0.0, "minDurationMinutes": 0.0},
	}, got["stages"])
	require.Equal(t, []any{map[string]any{
		"at": "2026-03-14T09:26:53.589Z", "event": "started", "actor": "ci", "fromStage": 0.0, "toStage": 0.0,
		"percentage": 5.0, "reason": "began", "heldUntil": nil, "runsUntil": nil, "health": health,
	}}, got["timeline"])
}

func TestABuildShowsItsConfigurationAsItCame(t *testing.T) {
	t.Parallel()
	got := object(t, builds.BuildRecord(models.Build{
		ClientConfig: json.RawMessage(`{"name":"Demo","n":12345678901234567890}`),
		Assets:       []models.BuildAsset{{Path: "a.hbc", MD5: releasedMD5, SHA256: releasedSHA256, ContentType: "application/javascript", FileExtension: ".bundle", SizeBytes: 3, IsLaunchAsset: true}},
	}))
	require.Equal(t, "Demo", got["clientConfig"].(map[string]any)["name"])
	require.Equal(t, []any{map[string]any{
		"path": "a.hbc", "key": releasedMD5, "sha256": releasedSHA256, "contentType": "application/javascript",
		"fileExtension": ".bundle", "sizeBytes": 3.0, "isLaunchAsset": true,
	}}, got["assets"])
}
