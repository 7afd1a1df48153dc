package api

import (
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

func TestAProjectsSlugIsMadeFromItsName(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	var asked models.NewProject
	w.store.createProject = func(_ models.Actor, n models.NewProject) (models.Project, error) {
		asked = n
		return demo, nil
	}
	answer := w.do(request{method: post, path: "/v1/ota/projects", body: `{"name":"My App"}`, key: w.rootKey})
	body := decoded(t, answer, 201)
	require.Equal(t, models.NewProject{Name: "My App", Slug: "my-app"}, asked)
	require.Equal(t, map[string]any{
		"id": 1.0, "uuid": demo.UUID.String(), "name": "Demo", "slug": "demo", "createdAt": "2026-03-14T09:26:53.589Z",
	}, body)
	require.Equal(t, 204, w.do(request{method: remove, path: "/v1/ota/projects/demo", key: w.rootKey}).Code)
	require.Equal(t, []string{"demo"}, w.store.deletedProjects)
}

func TestOnlyTheAnswerToItsCreationHasAKey(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	var kept models.APIKeyToken
	w.store.createAPIKey = func(n models.NewAPIKey, token models.APIKeyToken) (models.APIKey, error) {
		kept = token
		return models.APIKey{ID: 9, Name: n.Name, Role: n.Role, Prefix: token.Prefix, SecretHash: token.Hash(), CreatedAt: now}, nil
	}
	body := decoded(t, w.do(request{method: post, path: "/v1/ota/api-keys", body: `{"name":"ci","role":"editor"}`}), 201)
	require.Equal(t, kept.Reveal(), body["key"])
	require.Equal(t, kept.Prefix, body["prefix"])
	require.Equal(t, "editor", body["role"])
	require.Equal(t, 9.0, body["id"])
}

// A prefix has 32 bits, so a new key sometimes gets the prefix of another key. The API then creates another token,
// and the person who creates the key does not notice.
func TestAKeyWhosePrefixIsTakenIsMadeAnew(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	var offered []models.APIKeyToken
	w.store.createAPIKey = func(_ models.NewAPIKey, token models.APIKeyToken) (models.APIKey, error) {
		if offered = append(offered, token); len(offered) < 5 {
			return models.APIKey{}, errPrefixTaken
		}
		return models.APIKey{ID: 9, Prefix: token.Prefix}, nil
	}
	create := request{method: post, path: "/v1/ota/api-keys", body: `{"name":"ci","role":"editor"}`}
	body := decoded(t, w.do(create), 201)
	require.Len(t, offered, 5)
	require.Equal(t, offered[4].Reveal(), body["key"])
	require.NotEqual(t, offered[0].Prefix, body["prefix"])

	w.store.createAPIKey = func(models.NewAPIKey, models.APIKeyToken) (models.APIKey, error) {
		return models.APIKey{}, errPrefixTaken
	}
	w.problem(w.do(create), 409, models.CodeAlreadyExists)

	w = trustingAPI(t)
	w.store.publishers.taken = 1
	require.Equal(t, 201, w.do(exchange(demo.Slug, idToken(t, rs256, goodClaims(nil)))).Code)
	require.Len(t, w.store.publishers.exchanged, 2)
}

func TestPublishingPassesEverythingOn(t *testing.T) {
	t.Parallel()
	group := uuid.MustParse(rest.ExampleUUID)
	cases := map[string]struct {
		path, body string
		want       models.Publish
	}{
		"a build to a channel": {
			"/v1/ota/builds/12/publish",
			`{"channel":"production","rolloutPercentage":0,"isCritical":true,"releaseMessage":"m","groupId":"` + rest.ExampleUUID + `"}`,
			models.Publish{BuildID: 12, Channel: "production", RolloutPercentage: new(0.0), IsCritical: true, ReleaseMessage: "m", GroupID: &group},
		},
		"with a policy": {
			"/v1/ota/builds/12/publish", `{"channel":"production","rolloutPolicyId":8}`,
			models.Publish{BuildID: 12, Channel: "production", RolloutPolicyID: new(int64(8))},
		},
		"straight to a branch": {
			"/v1/ota/updates", `{"buildId":12,"branchName":"next","isEnabled":false,"groupId":null}`,
			models.Publish{BuildID: 12, Branch: "next", IsEnabled: new(false), Direct: true},
		},
		"an update to a channel": {
			"/v1/ota/updates", `{"buildId":12,"channel":"production"}`,
			models.Publish{BuildID: 12, Channel: "production", Direct: true},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			var got models.Publish
			w.store.publish = func(p models.Publish) (models.Release, error) {
				got = p
				return models.Release{ID: 17, GroupID: group}, nil
			}
			body := decoded(t, w.do(request{method: post, path: tc.path, body: tc.body}), 201)
			require.Equal(t, tc.want, got)
			require.Equal(t, rest.ExampleUUID, body["groupId"])
		})
	}
}

func TestAChannelsBranchIsItsOwnNameUnlessGiven(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	var got []models.NewChannel
	w.store.createChannel = func(n models.NewChannel) (models.Channel, error) {
		got = append(got, n)
		return models.Channel{}, nil
	}
	for _, body := range []string{`{"name":"beta"}`, `{"name":"beta","branchName":"next"}`} {
		require.Equal(t, 201, w.do(request{method: post, path: "/v1/ota/channels", body: body}).Code)
	}
	require.Equal(t, []models.NewChannel{{Name: "beta", BranchName: "beta"}, {Name: "beta", BranchName: "next"}}, got)
	w.problem(w.do(request{method: post, path: "/v1/ota/channels", body: `{"name":"beta","branchName":""}`}), 400, models.CodeInvalid)
}

func TestANameWithASlashIsOneSegment(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	var got string
	w.store.deleteBranch = func(name string) error {
		got = name
		return nil
	}
	answer := w.do(request{method: remove, path: "/v1/ota/branches/feature%2Fcheckout"})
	require.Equal(t, 204, answer.Code, answer.Body.String())
	require.Empty(t, answer.Body.String())
	require.Equal(t, "feature/checkout", got)
}

func TestAPolicyGetsItsDefaults(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	var got models.NewRolloutPolicy
	w.store.createPolicy = func(n models.NewRolloutPolicy) (models.RolloutPolicy, error) {
		got = n
		return models.RolloutPolicy{}, nil
	}
	answer := w.do(request{method: post, path: "/v1/ota/rollout-policies", body: `{
		"name": "Careful", "stages": [{"percentage": 10, "minDevices": 5, "minDurationMinutes": 0.5}, {"percentage": 100}],
		"thresholds": {"crashRate": 2.0}}`})
	require.Equal(t, 201, answer.Code, answer.Body.String())
	require.Equal(t, models.NewRolloutPolicy{
		Name: "Careful", IsActive: true,
		Stages: []models.Stage{{Percentage: 10, MinDevices: 5, MinDurationMinutes: 0.5}, {Percentage: 100}},
		Thresholds: models.Thresholds{
			CrashRate: new(2.0), Action: models.ActionAutoRollback, Method: models.MethodSequential, RollbackScope: models.ScopeRelease,
			Baseline: models.BaselineLimit, MinNetworks: new(int64(3)), AllocationVotes: new(int64(20)),
		},
	}, got)
}

func TestStartingARolloutAnswersItsRecord(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	body := decoded(t, w.do(request{method: post, path: "/v1/ota/rollout-executions", body: `{"policyId":8,"updateId":17}`}), 201)
	require.Equal(t, "running", body["status"])
	require.Equal(t, 8.0, body["policyId"])
	require.Equal(t, 17.0, body["updateId"])
}

func TestCommandsReachTheWorkflowAndAnswerWhatFollowed(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		path, body string
		command    models.RolloutCommand
		want       models.CommandInput
	}{
		"pause without a body":       {"pause", "", models.CommandPause, models.CommandInput{}},
		"pause with a reason":        {"pause", `{"reason":"lunch"}`, models.CommandPause, models.CommandInput{Reason: "lunch"}},
		"advance":                    {"advance", `{}`, models.CommandAdvance, models.CommandInput{}},
		"cancel reverts":             {"cancel", "", models.CommandCancel, models.CommandInput{Revert: true}},
		"cancel with a reason too":   {"cancel", `{"reason":"r"}`, models.CommandCancel, models.CommandInput{Reason: "r", Revert: true}},
		"cancel that leaves it":      {"cancel", `{"revert":false}`, models.CommandCancel, models.CommandInput{}},
		"cancel that says to revert": {"cancel", `{"revert":true}`, models.CommandCancel, models.CommandInput{Revert: true}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			state := models.RolloutExecution{ID: 21, Status: models.ExecutionRunning, WorkflowID: "rollout/demo/21"}
			w.store.execution = func(id int64) (models.RolloutExecution, error) {
				require.Equal(t, int64(21), id)
				return state, nil
			}
			w.store.command = func(workflowID string, c models.RolloutCommand, in models.CommandInput) error {
				require.Equal(t, "rollout/demo/21", workflowID)
				require.Equal(t, tc.command, c)
				require.Equal(t, models.Actor{
					Type: models.ActorAPIKey, ID: "101", Name: "editor", RequestID: "req-1", Role: models.RoleEditor,
				}, in.Actor)
				in.Actor = models.Actor{}
				require.Equal(t, tc.want, in)
				state.Reason = "took effect"
				return nil
			}
			body := decoded(t, w.do(request{
				method: post, path: "/v1/ota/rollout-executions/21/" + tc.path, body: tc.body, key: w.keys[models.RoleEditor],
				header: map[string]string{"X-Request-Id": "req-1"},
			}), 200)
			require.Equal(t, "took effect", body["reason"])
		})
	}
}

func TestACommandThatARolloutCannotTakeIsRefused(t *testing.T) {
	t.Parallel()
	cases := map[string]models.ExecutionStatus{
		"pause": models.ExecutionPaused, "resume": models.ExecutionRunning,
		"advance": models.ExecutionCompleted, "cancel": models.ExecutionRolledBack,
	}
	for command, status := range cases {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			w.store.execution = func(id int64) (models.RolloutExecution, error) {
				return models.RolloutExecution{ID: id, Status: status}, nil
			}
			w.store.command = func(string, models.RolloutCommand, models.CommandInput) error {
				t.Error("the workflow must not be told")
				return nil
			}
			w.problem(w.do(request{method: post, path: "/v1/ota/rollout-executions/21/" + command}), 409, models.CodeInvalidTransition)
		})
	}
}

// The workflow could not store such a reason, and would fail because of it.
func TestAReasonThatIsNoTextReachesNoWorkflow(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"pause", "resume", "advance", "cancel", "rollback"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			w.store.command = func(string, models.RolloutCommand, models.CommandInput) error {
				t.Error("the workflow must not be told")
				return nil
			}
			body := map[string]any{"reason": "a\x00b"}
			if command == "rollback" {
				body["scope"] = "release"
			}
			p := w.problem(w.do(request{method: post, path: "/v1/ota/rollout-executions/21/" + command, body: body}), 400, models.CodeInvalid)
			require.Equal(t, []string{"reason"}, fieldsOf(p))
		})
	}
}

func TestTheRefusalOfTheWorkflowIsAnswered(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.command = func(string, models.RolloutCommand, models.CommandInput) error {
		return models.Errorf(models.CodeInvalidTransition, "cannot pause a rollout that is completed")
	}
	p := w.problem(w.do(request{method: post, path: "/v1/ota/rollout-executions/21/pause"}), 409, models.CodeInvalidTransition)
	require.Equal(t, "cannot pause a rollout that is completed", p.Detail)
}

// A rollout that the outbox has not started yet will start. A response that is kept under an Idempotency-Key must not
// say that the rollout never takes the command.
func TestACommandToARolloutThatIsNotStartedYet(t *testing.T) {
	t.Parallel()
	for status, want := range map[models.ExecutionStatus]struct {
		status int
		code   models.ErrorCode
	}{
		models.ExecutionRunning:   {503, models.CodeUnavailable},
		models.ExecutionCancelled: {409, models.CodeInvalidTransition},
	} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			w.store.execution = func(id int64) (models.RolloutExecution, error) {
				return models.RolloutExecution{ID: id, Status: status}, nil
			}
			w.store.command = func(string, models.RolloutCommand, models.CommandInput) error {
				return models.Errorf(models.CodeNotFound, "the rollout has not been started")
			}
			answer := w.do(request{
				method: post, path: "/v1/ota/rollout-executions/21/pause", header: map[string]string{rest.HeaderIdempotencyKey: "k"},
			})
			w.problem(answer, want.status, want.code)
		})
	}
}

// If Postgres becomes unavailable before the response, a command that took effect must not be reported as unchanged.
func TestACommandThatTookEffectIsNotDenied(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]string{"once": "", "under a key": "k"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			obeyed := false
			w.store.command = func(string, models.RolloutCommand, models.CommandInput) error {
				obeyed = true
				return nil
			}
			w.store.execution = func(id int64) (models.RolloutExecution, error) {
				if obeyed {
					return models.RolloutExecution{}, models.Unavailable("Postgres", nil)
				}
				return models.RolloutExecution{ID: id, Status: models.ExecutionRunning}, nil
			}
			r := request{method: post, path: "/v1/ota/rollout-executions/21/pause"}
			if key != "" {
				r.header = map[string]string{rest.HeaderIdempotencyKey: key}
			}
			p := w.problem(w.do(r), 503, models.CodeUnavailable)
			require.Equal(t, "the pause took effect, but Postgres became unavailable before the rollout could be read again", p.Detail)
		})
	}
}

func TestResolveExplainsItself(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	body := decoded(t, w.do(request{
		method: get, path: "/v1/ota/resolve?channel=production&platform=ios&runtimeVersion=1.0.0&deviceId=D1",
	}), 200)
	require.Equal(t, "update", body["outcome"])
	require.Equal(t, 17.0, body["updateId"])
	require.Equal(t, releasedUUID.String(), body["updateUuid"])
	require.Equal(t, "production", body["branchName"])
	require.NotEmpty(t, body["steps"])
	step := body["steps"].([]any)[0].(map[string]any)
	require.ElementsMatch(t, []string{"step", "outcome", "detail"}, keysOf(step))

	none := decoded(t, w.do(request{method: get, path: "/v1/ota/resolve?channel=production&platform=android&runtimeVersion=1.0.0"}), 200)
	require.Equal(t, "no_update", none["outcome"])
	require.Nil(t, none["updateId"])
	require.Nil(t, none["updateUuid"])

	running := decoded(t, w.do(request{
		method: get, path: "/v1/ota/resolve?channel=production&platform=ios&runtimeVersion=1.0.0&currentUpdateUuid=AAAAAAAA-2222-4333-8444-555555555555",
	}), 200)
	require.Equal(t, "up_to_date", running["outcome"])

	w.problem(w.do(request{method: get, path: "/v1/ota/resolve?channel=nowhere&platform=ios&runtimeVersion=1"}), 404, models.CodeNotFound)
	p := w.problem(w.do(request{method: get, path: "/v1/ota/resolve?platform=windows"}), 400, models.CodeInvalid)
	require.ElementsMatch(t, []string{"channel", "platform", "runtimeVersion"}, fieldsOf(p))
}

func keysOf(m map[string]any) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	return keys
}

func TestAnUnreachableWorkflowIsUnavailable(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.command = func(string, models.RolloutCommand, models.CommandInput) error {
		return models.Unavailable("Temporal", errors.New("connection refused"))
	}
	answer := w.do(request{method: post, path: "/v1/ota/rollout-executions/21/pause"})
	w.problem(answer, 503, models.CodeUnavailable)
	require.Equal(t, "2", answer.Header().Get("Retry-After"))
}
