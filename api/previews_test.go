package api

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

const rollbackOfProduction = `{"channel":"production","platform":"ios","runtimeVersion":"1.0.0"}`

func TestAPreviewWithoutTelemetryDoesNotCount(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	preview := func() map[string]any {
		r := request{method: post, path: "/v1/ota/rollback/preview", key: w.keys[models.RoleViewer], body: rollbackOfProduction}
		return decoded(t, w.do(r), 200)
	}
	require.Equal(t, map[string]any{
		"devicesAffected": 0.0, "releases": []any{}, "executions": []any{}, "flags": []any{}, "channels": []any{},
		"goal": nil, "neededApprovals": []any{},
		"warnings": []any{"This call would not change anything."},
	}, preview())
	w.store.insights.seen = func(models.PreviewQuery) (models.SeenDevices, error) {
		return models.SeenDevices{}, models.Unavailable("ClickHouse", nil)
	}
	require.Equal(t, map[string]any{
		"devicesAffected": nil, "releases": []any{}, "executions": []any{}, "flags": []any{}, "channels": []any{},
		"goal": nil, "neededApprovals": []any{},
		"warnings": []any{"This call would not change anything.", "The affected devices cannot be counted while telemetry is unavailable."},
	}, preview())
}

func TestACommandIsPreviewedWithoutItsWorkflow(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.command = func(string, models.RolloutCommand, models.CommandInput) error {
		t.Error("the command was sent")
		return nil
	}
	preview := func(command string) request {
		return request{method: post, path: "/v1/ota/rollout-executions/21/" + command + "/preview", key: w.keys[models.RoleViewer]}
	}
	for _, command := range []string{"pause", "advance", "cancel"} {
		require.Equal(t, 200, w.do(preview(command)).Code, command)
	}
	w.problem(w.do(preview("resume")), 409, models.CodeInvalidTransition)
	w.store.execution = func(id int64) (models.RolloutExecution, error) {
		return models.RolloutExecution{
			ID: id, UpdateID: 17, Status: models.ExecutionPaused, Version: 1, Stages: []models.Stage{{Percentage: 5}, {Percentage: 100}},
		}, nil
	}
	require.Equal(t, 200, w.do(preview("resume")).Code)
	w.store.execution = func(id int64) (models.RolloutExecution, error) {
		return models.RolloutExecution{ID: id, UpdateID: 17, Status: models.ExecutionPaused, ReleaseDisabled: true}, nil
	}
	w.problem(w.do(request{method: post, path: "/v1/ota/rollout-executions/21/resume/preview"}), 409, models.CodeInvalidTransition)
}
