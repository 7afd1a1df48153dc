package watch

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// told passes on the prompts and returns the errors that a test sends.
type told struct {
	prompts chan []string
	answers chan error
}

func (p told) PromptRollouts(_ context.Context, workflowIDs []string) error {
	p.prompts <- workflowIDs
	return <-p.answers
}

// RolloutWorkflow returns workflows for the releases of one project.
func (told) RolloutWorkflow(projectID int64, updateUUID string) (string, bool) {
	return "rollout/demo/" + updateUUID, projectID == 7 && updateUUID != "nobody's"
}

func TestAPromptIsTriedUntilItIsTaken(t *testing.T) {
	t.Parallel()
	p := told{prompts: make(chan []string), answers: make(chan error)}
	prompter := NewPrompter(p, p, slog.New(slog.DiscardHandler))
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- prompter.Run(ctx) }()
	crash := []models.HealthEvent{{Type: models.EventCrash}}
	prompter.Inserted([]models.HealthReport{
		{ProjectID: 7, UpdateUUID: "a", Events: crash}, {ProjectID: 7, UpdateUUID: "a"},
		{ProjectID: 8, UpdateUUID: "a", Events: crash}, {ProjectID: 7, UpdateUUID: "nobody's", Events: crash}, {ProjectID: 7, Events: crash},
	})
	require.Equal(t, []string{"rollout/demo/a"}, <-p.prompts)
	p.answers <- errors.New("Postgres is away")
	require.Equal(t, []string{"rollout/demo/a"}, <-p.prompts)
	p.answers <- nil
	prompter.Served([]models.Exposure{{ProjectID: 7, UpdateUUID: "b", Kind: models.ExposureManifest}})
	require.Equal(t, []string{"rollout/demo/b"}, <-p.prompts, "without errors it waits a second")
	p.answers <- nil
	prompter.Served([]models.Exposure{{ProjectID: 7, UpdateUUID: "c", Kind: models.ExposureFailure}})
	require.Equal(t, []string{"rollout/demo/c"}, <-p.prompts)
	p.answers <- nil
	end()
	require.NoError(t, <-ended)
}
