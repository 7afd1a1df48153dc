package cli

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waft-ota/waft/internal/cli/clitest"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// commandCase is a command, the API call that it makes, and its output.
type commandCase struct {
	args   []string
	input  string
	call   string
	body   string // "" for no body
	status int    // 0 means 200
	answer any
	told   string
}

// Records that commands find by name.
var (
	storedPolicy = map[string]any{
		"id": 8, "name": "careful", "thresholds": map[string]any{"crashRate": 1, "minNetworks": 3, "action": "gate"}, "timeZone": "Europe/Berlin",
		"stages":            []any{map[string]any{"percentage": 5, "minDevices": 100, "minDurationMinutes": 60}, map[string]any{"percentage": 100}},
		"freezeWindows":     []any{map[string]any{"from": "18:00", "to": "08:00"}},
		"runningExecutions": []int{21},
	}
	storedFlag = map[string]any{
		"id": 5, "key": "checkout", "flagType": "boolean", "enabled": true, "defaultValue": false, "activeRollouts": []int{21},
		"variations":   []any{map[string]any{"name": "On", "value": "true"}},
		"environments": []any{map[string]any{"channelName": "production", "enabled": false, "defaultValue": "false"}},
		"rules": []any{
			map[string]any{"id": 6, "ruleType": "user_list", "variantValue": "true", "channelName": "production", "ruleConfig": map[string]any{"userIds": "ada, ben"}},
			map[string]any{"id": 7, "ruleType": "segment", "variantValue": nil, "ruleConfig": map[string]any{
				"segmentKey": "beta", "rollout": []any{map[string]any{"variantValue": "true", "variationId": 3, "weight": 12.5}, map[string]any{"variantValue": "false", "variationId": 4, "weight": 1}},
			}},
			map[string]any{"id": 8, "ruleType": "attribute", "variantValue": nil, "ruleConfig": map[string]any{
				"conditions": []any{
					map[string]any{"attribute": "platform", "operator": "in", "values": []any{"ios", "android"}},
					map[string]any{"attribute": "plan", "operator": "exists"},
				},
				"bucketBy": "team", "rollout": []any{map[string]any{"variantValue": "true", "variationId": 3, "weight": 10}},
			}},
		},
	}
)

// storedOverview has a release for every device on each platform, and a target without such a release.
var storedOverview = []any{
	map[string]any{"platform": "ios", "runtimeVersion": "1.0.0", "release": clitest.Release(map[string]any{"id": 31, "rolloutPercentage": 100})},
	map[string]any{"platform": "android", "runtimeVersion": "1.0.0", "release": clitest.Release(map[string]any{"id": 30, "platform": "android"})},
	map[string]any{"platform": "ios", "runtimeVersion": "2.0.0", "release": nil},
}

// storedRepublished is the response to a republish.
var storedRepublished = map[string]any{"groupId": clitest.Group, "updates": []any{clitest.Release(nil)}}

const publishedAgain = "published again, group " + clitest.Group + "\n  ios  release 29  update " + clitest.Group +
	"  build 27  7 files, 1.5 MB  to 5% of devices\n"

const noDevices = "nothing has changed; the call would affect 0 devices that were active in the last 24 hours\n"

// storedPreview has one entry of each kind that a preview can list.
var storedPreview = map[string]any{
	"devicesAffected": 60,
	"releases": []any{
		map[string]any{
			"updateId": 17, "releaseMessage": "Faster start", "kind": "update", "branchName": "production", "platform": "ios", "runtimeVersion": "1.0.0",
			"before": map[string]any{"isEnabled": true, "rolloutPercentage": 5}, "after": map[string]any{"isEnabled": false, "rolloutPercentage": 5},
		},
		map[string]any{
			"updateId": nil, "kind": "update", "branchName": "production", "platform": "ios", "runtimeVersion": "1.0.0", "republishedFromId": 16,
			"before": nil, "after": map[string]any{"isEnabled": true, "rolloutPercentage": 100},
		},
	},
	"executions": []any{map[string]any{
		"id": 21, "updateId": 17, "release": map[string]any{"releaseMessage": "Faster start"}, "before": map[string]any{"status": "running", "stageIndex": 0, "percentage": 5},
		"after": map[string]any{"status": "rolled_back", "stageIndex": 0, "percentage": 5},
	}},
	"flags": []any{map[string]any{
		"flagId": 5, "flagKey": "checkout", "updateId": 17, "release": map[string]any{"releaseMessage": "Faster start"}, "before": map[string]any{"enabled": true, "value": "true"}, "after": nil,
	}},
	"warnings": []any{"Rollout 21 of release 17 would be rolled back."},
}

var storedSchedule = map[string]any{
	"id": 71, "flagId": 5, "flagKey": "checkout", "at": "2026-03-15T09:00:00Z", "status": "scheduled", "summary": "enabled from no to yes",
	"scheduledBy": map[string]any{"type": "user", "id": "7", "name": "ada@example.com"},
}

// noPreviewedChange is the preview of a call that changes nothing.
var noPreviewedChange = map[string]any{
	"devicesAffected": 0, "releases": []any{}, "executions": []any{}, "flags": []any{}, "channels": []any{}, "warnings": []any{},
}

// linkedPage returns the page that a command's output links to, or "" for no link.
func linkedPage(args []string) string {
	if slices.Contains(args, "--preview") {
		return ""
	}
	switch strings.Join(args[:min(2, len(args))], " ") {
	case "approvals show", "approvals approve", "approvals reject", "approvals withdraw":
		return "approvals/61"
	case "rollouts start", "rollouts rollback":
		return "rollouts/21"
	case "releases republish":
		return "releases/29"
	}
	if args[0] == "rollback" || args[0] == "promote" {
		return "releases/29"
	}
	return ""
}

// testCommands checks that every command makes its call, prints lines for people, and prints the API's response with
// --json.
func testCommands(t *testing.T, cases map[string]commandCase) {
	t.Helper()
	find := map[string]any{"GET /flags": []any{storedFlag}, "GET /rollout-policies": []any{storedPolicy}, "GET /overview": storedOverview}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := clitest.New(t)
			for call, answer := range find {
				a.On(call, func(string, http.Header) (int, any) { return 200, answer })
			}
			var got string
			a.On(c.call, func(body string, _ http.Header) (int, any) {
				got = body
				return max(c.status, 200), c.answer
			})
			out, err := a.RunWith(t, NewCommand(), c.input, c.args...)
			require.NoError(t, err)
			told := c.told
			if page := linkedPage(c.args); page != "" {
				told += a.Page(page)
			}
			require.Equal(t, told, out)
			if c.body == "" {
				require.Empty(t, got)
			} else {
				require.JSONEq(t, c.body, got)
			}
			if c.args[0] == "api" {
				return
			}
			out, err = a.RunWith(t, NewCommand(), c.input, append(c.args, "--json")...)
			require.NoError(t, err)
			if c.answer == nil {
				require.Empty(t, out)
				return
			}
			want, err := json.Marshal(c.answer)
			require.NoError(t, err)
			require.JSONEq(t, string(want), out)
			c.told = told
			requirePlain(t, c, find)
		})
	}
}

func TestReleaseCommands(t *testing.T) {
	t.Parallel()
	testCommands(t, map[string]commandCase{
		"releases list": {
			[]string{"releases", "list", "--platform", "ios", "--group", clitest.Group}, "", "GET /updates", "", 0,
			[]any{clitest.Release(nil)},
			"ID  CREATED               PLATFORM  RUNTIME  BRANCH      STATE    PERCENT  ROLLOUT  NOTES\n" +
				"29  2026-03-14 09:26:53Z  ios       1.0.0    production  enabled  5%       -        spring clean\n",
		},
		"releases list, none": {[]string{"releases", "list"}, "", "GET /updates", "", 0, []any{}, "no releases\n"},
		"releases edit": {
			[]string{"releases", "edit", "29", "--enabled=false", "--percentage", "0"}, "", "PATCH /updates/29",
			`{"isEnabled":false,"rolloutPercentage":0}`, 0, clitest.Release(map[string]any{"isEnabled": false, "gitCommitHash": "abc", "rolloutExecutionId": 21}),
			"release 29 for ios 1.0.0 on branch production: disabled, 5% of devices\nspring clean\n" +
				"update " + clitest.Group + ", group " + clitest.Group + ", build 27, 7 files, 1.5 MB\nfrom commit abc\nrollout 21 is in progress\n",
		},
		"releases republish": {
			[]string{"releases", "republish", "29", "--channel", "a", "--channel", "b"}, "", "POST /updates/29/republish",
			`{"channels":["a","b"]}`, 201, storedRepublished, publishedAgain,
		},
		"releases republish, with a policy and another release": {
			[]string{"releases", "republish", "29", "--with", "28", "--policy", "careful"}, "", "POST /updates/29/republish",
			`{"updateIds":[29,28],"rolloutPolicyId":8}`, 201, storedRepublished, publishedAgain,
		},
		"releases republish, its preview": {
			[]string{"releases", "republish", "29", "--preview"}, "", "POST /updates/29/republish/preview", `{}`, 0, noPreviewedChange, noDevices,
		},
		"releases edit, its preview": {
			[]string{"releases", "edit", "29", "--critical", "--preview"}, "", "POST /updates/29/preview", `{"isCritical":true}`, 0,
			noPreviewedChange, noDevices,
		},
		"releases delete, its preview": {
			[]string{"releases", "delete", "29", "--preview"}, "", "POST /updates/29/delete/preview", "", 0, noPreviewedChange, noDevices,
		},
		"promote": {
			[]string{"promote", "--from", "staging", "--to", "production", "--policy", "careful"}, "", "POST /updates/30/republish",
			`{"channels":["production"],"updateIds":[30,31],"rolloutPolicyId":8}`, 201, storedRepublished, publishedAgain,
		},
		"promote, its preview": {
			[]string{"promote", "--from", "staging", "--to", "production", "--platform", "ios", "--preview"}, "", "POST /updates/31/republish/preview",
			`{"channels":["production"],"updateIds":[31]}`, 0, noPreviewedChange, noDevices,
		},
		"releases delete": {[]string{"releases", "delete", "29"}, "", "DELETE /updates/29", "", 204, nil, "release 29 deleted\n"},
		"rollback": {
			[]string{"rollback", "--channel", "production", "--platform", "ios", "--runtime-version", "1.0.0", "--embedded"}, "", "POST /rollback",
			`{"channel":"production","platform":"ios","runtimeVersion":"1.0.0"}`, 201,
			clitest.Release(map[string]any{"kind": "rollback_to_embedded", "buildId": nil, "rolloutPercentage": 100}),
			"rolled back ios 1.0.0 on production\nrelease 29 for ios 1.0.0 on branch production: enabled, 100% of devices\n" +
				"back to the embedded update\nupdate " + clitest.Group + ", group " + clitest.Group + ", build -, 7 files, 1.5 MB\n",
		},
		"rollback to a disabled release": {
			[]string{
				"rollback", "--channel", "production", "--platform", "ios", "--runtime-version", "1.0.0", "--to", "16", "--allow-disabled",
				"--reason", "it crashes",
			}, "", "POST /rollback", `{"allowDisabled":true,"channel":"production","platform":"ios","reason":"it crashes",
				"rollbackToUpdateId":16,"runtimeVersion":"1.0.0"}`, 201, clitest.Release(map[string]any{"rolloutPercentage": 100}),
			"rolled back ios 1.0.0 on production\nrelease 29 for ios 1.0.0 on branch production: enabled, 100% of devices\n" +
				"spring clean\nupdate " + clitest.Group + ", group " + clitest.Group + ", build 27, 7 files, 1.5 MB\n",
		},
		"releases edit, with a reason": {
			[]string{"releases", "edit", "29", "--enabled=false", "--reason", "too slow"}, "", "PATCH /updates/29",
			`{"isEnabled":false,"reason":"too slow"}`, 200, clitest.Release(map[string]any{
				"isEnabled": false, "disabledAt": "2026-03-14T09:26:53Z", "disabledReason": "crash rate 9% is above the threshold of 2%",
				"disabledBy": map[string]any{"type": "system", "id": "rollout", "name": "rollout"},
			}),
			"release 29 for ios 1.0.0 on branch production: disabled, 5% of devices\nspring clean\n" +
				"update " + clitest.Group + ", group " + clitest.Group + ", build 27, 7 files, 1.5 MB\n" +
				"Release 29 was disabled by Waft on 2026-03-14 09:26 UTC: crash rate 9% is above the threshold of 2%.\n",
		},
		"rollouts rollback, all platforms": {
			[]string{"rollouts", "rollback", "21", "--all-platforms", "--preview"}, "", "POST /rollout-executions/21/rollback/preview",
			`{"allPlatforms":true,"scope":"release"}`, 0, map[string]any{"devicesAffected": 0}, noDevices,
		},
		"rollback, its preview": {
			[]string{"rollback", "--channel", "production", "--platform", "ios", "--runtime-version", "1.0.0", "--to", "16", "--preview"}, "",
			"POST /rollback/preview", `{"channel":"production","platform":"ios","runtimeVersion":"1.0.0","rollbackToUpdateId":16}`, 0, storedPreview,
			"nothing has changed; the call would affect 60 devices that were active in the last 24 hours\n" +
				"  release “Faster start” (#17) for ios 1.0.0 on branch production: enabled, 5% of devices -> disabled, 5% of devices\n" +
				"  a new release for ios 1.0.0 on branch production with the build of release 16: enabled, 100% of devices\n" +
				"  rollout 21 of release “Faster start” (#17): running, stage 1, rollout percentage 5% -> rolled back, stage 1, rollout percentage 5%\n" +
				"  flag checkout of release “Faster start” (#17): on, true -> not set\n" +
				"warning: Rollout 21 of release 17 would be rolled back.\n",
		},
		"rollouts pause, its preview": {
			[]string{"rollouts", "pause", "21", "--preview"}, "", "POST /rollout-executions/21/pause/preview", `{}`, 0,
			map[string]any{"devicesAffected": nil, "warnings": []any{"a", "b"}},
			"nothing has changed; the number of devices that the call would affect is unknown\nwarning: a\nwarning: b\n",
		},
		"rollouts resume, its preview": {
			[]string{"rollouts", "resume", "21", "--preview"}, "", "POST /rollout-executions/21/resume/preview", `{}`, 0,
			map[string]any{"devicesAffected": 0}, noDevices,
		},
		"rollouts advance, its preview": {
			[]string{"rollouts", "advance", "21", "--preview"}, "", "POST /rollout-executions/21/advance/preview", `{}`, 0,
			map[string]any{"devicesAffected": 0}, noDevices,
		},
		"rollouts cancel, its preview": {
			[]string{"rollouts", "cancel", "21", "--keep", "--preview"}, "", "POST /rollout-executions/21/cancel/preview", `{"revert":false}`, 0,
			map[string]any{"devicesAffected": 0}, noDevices,
		},
		"rollouts rollback, its preview": {
			[]string{"rollouts", "rollback", "21", "--preview"}, "", "POST /rollout-executions/21/rollback/preview", `{"scope":"release"}`, 0,
			map[string]any{"devicesAffected": 0}, noDevices,
		},
		"rollouts start": {
			[]string{"rollouts", "start", "29", "--policy", "careful"}, "", "POST /rollout-executions", `{"policyId":8,"updateId":29}`, 201,
			clitest.Execution("running"),
			"rollout 21: running, stage 1 of 2, rollout percentage 5%, 231 devices, crash rate 0.87% (2), waiting for duration (5 % for an hour)\n",
		},
	})
}

// storedBuild is a build with a source map and a release.
var storedBuild = map[string]any{
	"id": 27, "platform": "ios", "runtimeVersion": "1.0.0", "status": "published", "message": "spring\nclean", "assetCount": 7,
	"sizeBytes": 1_500_000, "sourceMapBytes": 400_000, "gitCommitHash": "abc", "gitBranch": "main", "createdAt": "2026-03-14T09:26:53.589Z",
	"releases": []any{
		map[string]any{"updateId": 29, "channel": "production", "branchName": "main", "releaseMessage": "spring\nclean"},
		map[string]any{"updateId": 28, "channel": nil, "branchName": "next", "releaseMessage": "try it"},
	},
	"hasMoreReleases": true,
}

func TestBuildCommands(t *testing.T) {
	t.Parallel()
	without := maps.Clone(storedBuild)
	without["sourceMapBytes"], without["releases"], without["hasMoreReleases"] = 0, []any{}, false
	delete(without, "gitCommitHash")
	sourceMap := filepath.Join(t.TempDir(), "index.hbc.map")
	require.NoError(t, os.WriteFile(sourceMap, []byte(`{"version":3}`), 0o600))
	testCommands(t, map[string]commandCase{
		"builds list": {
			[]string{"builds", "list", "--platform", "ios", "--search", "spring"}, "", "GET /builds", "", 0, []any{storedBuild, without},
			"ID  CREATED               PLATFORM  RUNTIME  STATUS     SIZE    SOURCE MAP  MESSAGE\n" +
				"27  2026-03-14 09:26:53Z  ios       1.0.0    published  1.5 MB  0.4 MB      spring clean\n" +
				"27  2026-03-14 09:26:53Z  ios       1.0.0    published  1.5 MB  -           spring clean\n",
		},
		"builds list, none": {[]string{"builds", "list"}, "", "GET /builds", "", 0, []any{}, "no builds\n"},
		"builds show": {
			[]string{"builds", "show", "27"}, "", "GET /builds/27", "", 0, storedBuild,
			"build 27 for ios 1.0.0: published, 7 files, 1.5 MB\nspring clean\nfrom commit abc main\nsource map of 0.4 MB\n" +
				"release 29 on channel production: spring clean\nrelease 28 on branch next: try it\nand older releases\n",
		},
		"builds show, without a source map": {
			[]string{"builds", "show", "27"}, "", "GET /builds/27", "", 0, without,
			"build 27 for ios 1.0.0: published, 7 files, 1.5 MB\nspring clean\n" +
				"no source map; `waft builds source-map add 27 FILE` adds one\n",
		},
		"builds delete": {[]string{"builds", "delete", "27"}, "", "DELETE /builds/27", "", 204, nil, "build 27 deleted\n"},
		"builds source-map add": {
			[]string{"builds", "source-map", "add", "27", sourceMap}, "", "PUT /builds/27/sourcemap", `{"version":3}`, 0, storedBuild,
			"build 27 for ios 1.0.0: published, 7 files, 1.5 MB\nspring clean\nfrom commit abc main\nsource map of 0.4 MB\n" +
				"release 29 on channel production: spring clean\nrelease 28 on branch next: try it\nand older releases\n",
		},
		"builds source-map delete": {
			[]string{"builds", "source-map", "delete", "27"}, "", "DELETE /builds/27/sourcemap", "", 204, nil, "source map of build 27 deleted\n",
		},
	})
}

func TestChannelCommands(t *testing.T) {
	t.Parallel()
	testCommands(t, map[string]commandCase{
		"channels list": {
			[]string{"channels", "list"}, "", "GET /channels", "", 0,
			[]any{map[string]any{"name": "production", "branchName": "main", "rolloutBranchName": "next", "rolloutPercentage": 2.5, "isPaused": true}},
			"CHANNEL     BRANCH  ROLLOUT BRANCH  MIN RUNTIME  STATE\nproduction  main    next for 2.5%   -            paused\n",
		},
		"channels create": {
			[]string{"channels", "create", "beta", "--branch", "main"}, "", "POST /channels", `{"name":"beta","branchName":"main"}`, 201,
			map[string]any{"name": "beta", "branchName": "main"}, "channel beta serves the branch main\n",
		},
		"channels edit, its preview": {
			[]string{"channels", "edit", "beta", "--paused", "--preview"}, "", "POST /channels/beta/preview", `{"isPaused":true}`, 0,
			map[string]any{"devicesAffected": 0}, noDevices,
		},
		"channels edit": {
			[]string{"channels", "edit", "beta", "--rollout-branch", "", "--min-runtime-version", "1.2.0", "--paused=false"}, "", "PATCH /channels/beta",
			`{"rolloutBranchName":null,"minRuntimeVersion":"1.2.0","isPaused":false}`, 0,
			map[string]any{"name": "beta", "branchName": "main", "minRuntimeVersion": "1.2.0"}, "channel beta serves the branch main, to devices with runtime version 1.2.0 or newer\n",
		},
		"channels delete": {[]string{"channels", "delete", "beta"}, "", "DELETE /channels/beta", "", 204, nil, "channel beta deleted\n"},
	})
}

func TestPolicyCommands(t *testing.T) {
	t.Parallel()
	testCommands(t, map[string]commandCase{
		"policies list": {
			[]string{"policies", "list"}, "", "GET /rollout-policies", "", 0, []any{storedPolicy},
			"ID  NAME     CHANNEL  STAGES   THRESHOLDS        OPEN ROLLOUTS\n8   careful  -        5, 100%  crashes 1%: gate  21\n",
		},
		"policies show": {
			[]string{"policies", "show", "careful"}, "", "GET /rollout-policies/8", "", 0, storedPolicy,
			"policy 8 \"careful\": thresholds crashes 1%: gate, decided by the votes of at least 3 networks\n  stage 1: 5% of devices, at least 60 min, at least 100 devices\n  stage 2: 100% of devices\n" +
				"  no stage begins from 18:00 to 08:00 (every day, Europe/Berlin)\n  cannot be changed while these rollouts use it: 21\n",
		},
		"policies create": {
			[]string{"policies", "create", "-"}, `{"name":"fast"}`, "POST /rollout-policies", `{"name":"fast"}`, 201,
			map[string]any{"id": 9, "name": "fast", "stages": []any{map[string]any{"percentage": 100}}},
			"policy 9 \"fast\": thresholds none\n  stage 1: 100% of devices\n",
		},
		"policies edit": {
			[]string{"policies", "edit", "8", "-"}, `{"thresholds":null}`, "PATCH /rollout-policies/8", `{"thresholds":null}`, 0,
			map[string]any{"id": 8, "name": "careful"}, "policy 8 \"careful\": thresholds none\n",
		},
		"policies delete": {[]string{"policies", "delete", "careful"}, "", "DELETE /rollout-policies/8", "", 204, nil, "policy careful deleted\n"},
	})
}

func TestFlagCommands(t *testing.T) {
	t.Parallel()
	testCommands(t, map[string]commandCase{
		"flags list": {
			[]string{"flags", "list"}, "", "GET /flags", "", 0, []any{storedFlag},
			"ID  KEY       TYPE     STATE  DEFAULT  RULES  OPEN ROLLOUTS\n5   checkout  boolean  on     false    3      21\n",
		},
		"flags show": {
			[]string{"flags", "show", "checkout"}, "", "GET /flags/5", "", 0, storedFlag,
			"flag checkout (5), boolean, on; default false\n  variation On: true\n  channel production: off, default false\n" +
				"  rule 6: user list (ada, ben) gives true on channel production\n  rule 7: segment (beta) gives true to 12.5%, false to 1%\n" +
				"  rule 8: attribute (platform in ios, android and plan exists) gives true to 10%, split by team\n  linked in the rollouts 21\n",
		},
		"flags create": {
			[]string{"flags", "create", "-"}, `{"key":"x"}`, "POST /flags", `{"key":"x"}`, 201,
			map[string]any{"id": 7, "key": "x", "flagType": "boolean", "defaultValue": true}, "flag x (7), boolean, off; default true\n",
		},
		"flags schedule list": {
			[]string{"flags", "schedule", "list", "checkout"}, "", "GET /flags/5/schedule", "", 0, []any{storedSchedule},
			"ID  AT                    STATUS     BY               CHANGE\n" +
				"71  2026-03-15T09:00:00Z  scheduled  ada@example.com  enabled from no to yes\n",
		},
		"flags schedule create": {
			[]string{"flags", "schedule", "create", "checkout", "-", "--at", "2026-03-15T09:00:00Z"}, `{"enabled":true}`,
			"POST /flags/5/schedule", `{"at":"2026-03-15T09:00:00Z","body":{"enabled":true}}`, 201, storedSchedule,
			"scheduled change 71 of flag checkout at 2026-03-15T09:00:00Z: enabled from no to yes\n",
		},
		"flags schedule cancel": {
			[]string{"flags", "schedule", "cancel", "checkout", "71"}, "", "DELETE /flags/5/schedule/71", "", 204, nil,
			"scheduled change 71 cancelled\n",
		},
		"flags off": {
			[]string{"flags", "off", "5"}, "", "PATCH /flags/5", `{"enabled":false}`, 0,
			map[string]any{"id": 5, "key": "checkout", "flagType": "boolean", "defaultValue": false}, "flag checkout (5), boolean, off; default false\n",
		},
		"flags on, one channel": {
			[]string{"flags", "on", "checkout", "--channel", "beta"}, "", "PATCH /flags/5/env/beta", `{"enabled":true}`, 0,
			map[string]any{"channelName": "beta", "enabled": true, "defaultValue": "false"}, "flag checkout on channel beta: on, default false\n",
		},
		"flags health": {
			[]string{"flags", "health", "checkout"}, "", "GET /flags/5/health", "", 0,
			map[string]any{
				"flagKey": "checkout", "status": "incident", "affectedDevices": 40, "crashFreePercentage": 98.5,
				"variations": []any{map[string]any{
					"variation": "true", "channel": "beta", "status": "incident", "devices": 400, "errorRate": 10, "errorRateDelta": 9.5, "crashFreePercentage": 97,
				}},
			},
			"flag checkout: incident, 40 devices with errors, 98.50% crash-free\n" +
				"  true on beta: incident, 400 devices, errors 10.00% (+9.50 points), crash-free 97.00%\n",
		},
	})
}

func TestProjectCommands(t *testing.T) {
	t.Parallel()
	testCommands(t, map[string]commandCase{
		"keys list": {
			[]string{"keys", "list"}, "", "GET /api-keys", "", 0,
			[]any{
				map[string]any{"id": 1, "name": "ci", "prefix": "12345678", "role": "editor", "lastUsedAt": "2026-03-14T09:26:00.000Z"},
				map[string]any{"id": 2, "name": "old", "prefix": "87654321", "role": "admin", "revokedAt": "2026-03-14T09:26:00.000Z"},
				map[string]any{"id": 3, "name": "past", "prefix": "87654322", "role": "admin", "expiresAt": "2021-03-14T09:26:00.000Z"},
			},
			"ID  NAME  PREFIX    ROLE    LAST USED             STATE\n" +
				"1   ci    12345678  editor  2026-03-14 09:26:00Z  valid\n" +
				"2   old   87654321  admin   never                 revoked 2026-03-14 09:26:00Z\n" +
				"3   past  87654322  admin   never                 expired 2021-03-14 09:26:00Z\n",
		},
		"keys create": {
			[]string{"keys", "create", "ci", "--role", "editor"}, "", "POST /api-keys", `{"name":"ci","role":"editor"}`, 201,
			map[string]any{"id": 1, "name": "ci", "role": "editor", "key": "waft_12345678_secret"}, "waft_12345678_secret\n",
		},
		"token": {
			[]string{"token", "--id-token", "-"}, "a.b.c\n", "POST /v1/auth/token", `{"projectSlug":"demo","idToken":"a.b.c"}`, 201,
			map[string]any{"key": "waft_12345678_secret", "expiresAt": "2026-03-14T09:41:00.000Z", "role": "editor", "channels": []any{"staging"}},
			"waft_12345678_secret\n",
		},
		"keys revoke": {[]string{"keys", "revoke", "1"}, "", "DELETE /api-keys/1", "", 204, nil, "key 1 revoked\n"},
		"stop": {
			[]string{"stop", "--reason", "it hurts"}, "", "POST /emergency-stop", `{"reason":"it hurts"}`, 0,
			map[string]any{
				"active": true, "reason": "it hurts", "stoppedBy": "ci", "stoppedAt": "2026-03-14T09:26:53.589Z", "channels": []any{1, 2}, "executions": []any{3},
			},
			"stopped: paused 2 channels and 1 rollouts; `waft resume` resumes them\n",
		},
		"stop, its preview": {
			[]string{"stop", "--reason", "it hurts", "--preview"}, "", "POST /emergency-stop/preview", `{"reason":"it hurts"}`, 0,
			map[string]any{
				"devicesAffected": 0, "releases": []any{}, "executions": []any{}, "flags": []any{}, "channels": []any{
					map[string]any{"name": "beta", "before": map[string]any{"isPaused": false}, "after": map[string]any{"isPaused": true}},
				}, "warnings": []any{},
			},
			noDevices + "  channel beta: running -> paused\n",
		},
		"resume": {[]string{"resume"}, "", "DELETE /emergency-stop", "", 204, nil, "resumed\n"},
		"resume, its preview": {
			[]string{"resume", "--preview"}, "", "POST /emergency-stop/resume/preview", "", 0,
			map[string]any{
				"devicesAffected": 0, "releases": []any{}, "executions": []any{}, "flags": []any{}, "channels": []any{
					map[string]any{"name": "beta", "before": map[string]any{"isPaused": true}, "after": map[string]any{"isPaused": false}},
				}, "warnings": []any{},
			},
			noDevices + "  channel beta: paused -> running\n",
		},
		"audit": {
			[]string{"audit", "--action", "flag.toggled"}, "", "GET /audit-log", "", 0,
			[]any{map[string]any{
				"id": 3, "createdAt": "2026-03-14T09:26:53.589Z", "actorName": "ci", "action": "flag.toggled", "entityType": "flag", "entityId": "5",
				"subject": map[string]any{"kind": "flag", "id": "5", "name": "checkout", "exists": true}, "details": map[string]any{"key": "checkout"},
			}},
			"TIME                  WHO  ACTION        RECORD           DETAILS\n" +
				"2026-03-14 09:26:53Z  ci   flag.toggled  flag 5 checkout  {\"key\":\"checkout\"}\n",
		},
		"audit, the root key": {
			[]string{"audit"}, "", "GET /audit-log", "", 0,
			[]any{map[string]any{
				"id": 3, "createdAt": "2026-03-14T09:26:53.589Z", "actorType": "api_key", "actorId": "root", "actorName": "root", "action": "flag.toggled",
				"subject": map[string]any{"kind": "flag", "id": "5", "name": "checkout", "exists": true},
			}},
			"TIME                  WHO           ACTION        RECORD           DETAILS\n" +
				"2026-03-14 09:26:53Z  the root key  flag.toggled  flag 5 checkout\n",
		},
		"events": {
			[]string{"events", "--type", "crash", "--stacks"}, "", "GET /observe/events", "", 0,
			[]any{map[string]any{
				"receivedAt": "2026-03-14T09:26:53.589Z", "type": "crash", "count": 2, "platform": "ios", "runtimeVersion": "1.0.0", "channel": "production",
				"updateUuid": nil, "deviceId": "d1", "errorName": "RangeError", "message": "too\ndeep", "stackTrace": "at App.js:7",
				"breadcrumbs": []any{
					map[string]any{
						"timestamp": "2026-03-14T09:26:50.100Z", "category": "navigation", "message": "to the\ncart", "level": "info",
						"data": map[string]any{"to": "cart", "from": "home"},
					},
					map[string]any{"timestamp": nil, "category": "", "message": "retry", "level": "warning", "data": map[string]any{}},
				},
			}},
			"2026-03-14 09:26:53Z  crash ×2  ios 1.0.0 on production, update -, device d1: RangeError: too deep\n    at App.js:7\n" +
				"    breadcrumbs, oldest first:\n      2026-03-14 09:26:50Z  info  navigation: to the cart from=home to=cart\n      -  warning  retry\n",
		},
		"events of the app": {
			[]string{"events", "--type", "custom", "--platform", "web"}, "", "GET /observe/events", "", 0,
			[]any{map[string]any{
				"receivedAt": "2026-03-14T09:26:53.589Z", "type": "custom", "count": 7, "platform": "web", "runtimeVersion": "1.0.0",
				"channel": "production", "updateUuid": nil, "deviceId": "d1", "name": "waft_dropped", "message": "",
			}},
			"2026-03-14 09:26:53Z  custom ×7  web 1.0.0 on production, update -, device d1: waft_dropped\n",
		},
		"resolve": {
			[]string{"resolve", "--channel", "production", "--platform", "ios", "--runtime-version", "1.0.0", "--device", "d1"}, "", "GET /resolve", "", 0,
			map[string]any{
				"outcome": "no_update", "branchName": "production",
				"steps": []any{map[string]any{"step": "min_runtime_version", "outcome": "not_set", "detail": "there is none"}},
			},
			"no update, from branch production\n  1. min runtime version: not set. there is none\n",
		},
		"api": {
			[]string{"api", "post", "user-overrides", "--body", "-"}, `{"userId":"u"}`, "POST /user-overrides", `{"userId":"u"}`, 201,
			map[string]any{"id": 1}, "{\n  \"id\": 1\n}\n",
		},
	})
}

func TestHealthIsThreeAnswers(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	named := map[string]any{"updateId": 29, "releaseMessage": "Faster start"}
	a.On("GET /telemetry/incidents", func(string, http.Header) (int, any) {
		return 200, []any{map[string]any{
			"openedAt": "2026-03-14T09:26:53.589Z", "erroredDevices": 11, "devices": 62, "errorRate": 17.74, "crashedDevices": 10, "updateId": 29, "release": named,
			"platform": "ios", "runtimeVersion": "1.0.0", "channel": "production", "flagKey": "checkout", "variation": "true",
		}}
	})
	a.On("GET /insights/adoption", func(string, http.Header) (int, any) {
		return 200, map[string]any{"days": 7, "totalActiveDevices": 200, "downloads": 120, "distribution": []any{
			map[string]any{"percentage": 60, "devices": 120, "updateId": 29, "release": named, "platform": "ios", "runtimeVersion": "1.0.0"},
			map[string]any{"percentage": 40, "devices": 80, "platform": "ios", "runtimeVersion": "1.0.0"},
		}}
	})
	a.On("GET /telemetry/refused", func(string, http.Header) (int, any) {
		return 200, []any{map[string]any{
			"reason": "unknown_channel", "requests": 275, "devices": 5, "channel": "betta", "platform": "ios", "runtimeVersion": "1.0.0", "lastSeenAt": "2026-03-14T09:26:53.589Z",
		}}
	})
	out, err := a.Run(t, NewCommand(), "health")
	require.NoError(t, err)
	require.Equal(t, "INCIDENT since 2026-03-14 09:26:53Z: 11 of 62 devices reported errors in the last hour (17.74%, 0.00% before; 10 crashed) on release “Faster start” (#29) for ios 1.0.0, "+
		"channel production; these devices have the flag checkout = true\n"+
		"200 devices in 7 days, 120 downloads:\n"+
		"   60.00%  120 on release “Faster start” (#29), ios 1.0.0\n   40.00%  80 on the embedded update, ios 1.0.0\n"+
		"Refused manifest requests:\n"+
		"  unknown channel: 275 requests from 5 devices, channel \"betta\", ios 1.0.0, last 2026-03-14 09:26:53Z\n", out)
	out, err = a.Run(t, NewCommand(), "health", "--json")
	require.NoError(t, err)
	var report map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	require.Len(t, report["incidents"], 1)
	require.Contains(t, report["adoption"], "totalActiveDevices")
	require.Len(t, report["refused"], 1)
}

// An error names the flag or argument that is wrong, and is returned before anything is sent.
func TestCommandsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "broken.json")
	require.NoError(t, os.WriteFile(broken, []byte(`{"name"`), 0o600))
	device := []string{"--channel", "c", "--runtime-version", "1"}
	for _, c := range []struct {
		args []string
		bad  string
	}{
		{[]string{"rollouts", "lst"}, `unknown command "lst" for "waft rollouts"`},
		{[]string{"rollouts", "show"}, "ID is missing: waft rollouts show ID [flags]"},
		{[]string{"rollouts", "show", "1", "2"}, `unexpected argument "2": waft rollouts show ID [flags]`},
		{[]string{"rollouts", "start", "x", "--policy", "p"}, "\"x\" is not the ID of a release; `waft releases list` lists them"},
		{[]string{"rollouts", "start", "29"}, "--policy is missing: ID or name of the rollout policy"},
		{[]string{"rollouts", "start", "29", "--policy", "p"}, "rollout policy \"p\" does not exist in this project; `waft policies list` lists them"},
		{[]string{"rollouts", "list", "--limit", "many"}, `invalid argument "many" for "--limit" flag`},
		{[]string{"releases", "list", "--group", "x"}, "--group must be the UUID that `waft publish` printed"},
		{[]string{"builds", "show", "x"}, "\"x\" is not the ID of a build; `waft builds list` lists them"},
		{[]string{"builds", "source-map", "add", "27", filepath.Join(broken, "none")}, "open " + filepath.Join(broken, "none") + ": not a directory"},
		{[]string{"releases", "edit", "29"}, "nothing to change: use --enabled, --critical, --percentage or --message"},
		{append([]string{"rollback", "--platform", "ios"}, device...), "the target is missing: use either --to with the ID of a release, or --embedded"},
		{append([]string{"rollback", "--platform", "ios", "--to", "1", "--embedded"}, device...), "the target is missing: use either --to with the ID of a release, or --embedded"},
		{append([]string{"rollback", "--platform", "web", "--embedded"}, device...), `--platform must be ios or android, not "web"`},
		{[]string{"rollback", "--embedded", "--channel", ""}, "--channel is missing: channel to roll back"},
		{append([]string{"resolve", "--platform", "web"}, device...), `--platform must be ios or android, not "web"`},
		{[]string{"events", "--update", "29"}, "--update must be the UUID of an update, as `waft releases show` prints it"},
		{[]string{"channels", "edit", "c"}, "nothing to change: use --branch, --rollout-branch with --percentage, --min-runtime-version or --paused"},
		{[]string{"policies", "create", broken}, broken + " is not JSON: unexpected end of JSON input"},
		{[]string{"flags", "off", "x"}, "flag \"x\" does not exist in this project; `waft flags list` lists them"},
		{[]string{"flags", "off", "x", "--channel", ""}, "--channel is empty: give a value, or leave it out"},
		{[]string{"keys", "create", "ci", "--role", "boss"}, `--role must be client, viewer, editor or admin, not "boss"`},
		{[]string{"keys", "create", "ci", "--role", "admin", "--expires-in", "-1h"}, "--expires-in must be positive, such as 720h"},
		{[]string{"health", "--days", "8"}, "--days must be 7, 14, 30 or 90, not 8"},
	} {
		t.Run(c.bad, func(t *testing.T) {
			t.Parallel()
			a := clitest.New(t)
			a.On("GET /flags", func(string, http.Header) (int, any) { return 200, []any{} })
			a.On("GET /rollout-policies", func(string, http.Header) (int, any) { return 200, []any{} })
			_, err := a.Run(t, NewCommand(), c.args...)
			require.EqualError(t, err, c.bad)
			require.Equal(t, 1, ExitCode(err))
		})
	}
}

// Every command has a help text. Help texts and completion work without a server.
func TestEveryCommandHasHelp(t *testing.T) {
	t.Parallel()
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		require.NotEmpty(t, cmd.Short, cmd.CommandPath())
		if len(cmd.Commands()) == 0 && cmd.Name() != "demo" && cmd.Name() != "simulate" && cmd.Name() != "demo-project" && cmd.Name() != "api" {
			require.NotNil(t, cmd.Flag("json"), cmd.CommandPath()+" has --json")
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(NewCommand())
	for _, shell := range []string{"bash", "zsh", "fish"} {
		var out bytes.Buffer
		cmd := NewCommand()
		cmd.SetOut(&out)
		cmd.SetArgs([]string{"completion", shell})
		require.NoError(t, cmd.ExecuteContext(t.Context()))
		require.NotEmpty(t, out.String())
	}
}
