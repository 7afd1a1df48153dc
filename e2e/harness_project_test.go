package e2e

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

// project is a project of the test's own on a server, with an admin's client.
type project struct {
	*client.Waft
	url  string
	slug string
	key  string
}

// newProject creates a project with the root key, and an admin key for it.
func newProject(t *testing.T, url, rootKey string) project {
	t.Helper()
	root, err := client.New(url, client.Credentials{Key: rootKey}, checked)
	require.NoError(t, err)
	slug := "p" + uuid.NewString()[:8]
	_, err = root.CreateProjectWithResponse(t.Context(), &client.CreateProjectParams{},
		client.CreateProjectBody{Name: slug, Slug: &slug})
	require.NoError(t, err)
	asRoot, err := client.New(url, client.Credentials{Key: rootKey, Project: slug}, checked)
	require.NoError(t, err)
	key, err := asRoot.CreateAPIKeyWithResponse(t.Context(), &client.CreateAPIKeyParams{},
		client.CreateAPIKeyBody{Name: "e2e", Role: client.CreateAPIKeyBodyRole(models.RoleAdmin)})
	require.NoError(t, err)
	require.Equal(t, http.StatusCreated, key.StatusCode())
	admin, err := client.New(url, client.Credentials{Key: key.JSON201.Key, Project: slug}, checked)
	require.NoError(t, err)
	return project{Waft: admin, url: url, slug: slug, key: key.JSON201.Key}
}

// publish publishes an export folder to production and returns the releases. Without platforms it publishes for iOS.
func (p project) publish(t *testing.T, dir, message string, policyID int64, platforms ...models.Platform) []client.Update {
	t.Helper()
	if len(platforms) == 0 {
		platforms = []models.Platform{models.IOS}
	}
	updates, err := p.Publish(t.Context(), client.Publication{
		Dir: dir, Platforms: platforms, Channel: "production", Message: message, PolicyID: policyID,
		Upload: client.Upload{RuntimeVersion: "1.0.0"},
	})
	require.NoError(t, err)
	require.Len(t, updates, len(platforms))
	return updates
}

// until follows a rollout until enough returns true, and returns the rollout.
func (p project) until(t *testing.T, id int64, enough func(client.RolloutExecution) bool) client.RolloutExecution {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	var last client.RolloutExecution
	err := p.WatchRollout(ctx, id, func(e client.RolloutExecution) bool {
		last = e
		return !enough(e)
	})
	require.NoError(t, err, "last seen: %+v", last)
	return last
}

func ended(e client.RolloutExecution) bool {
	return !models.ExecutionStatus(e.Status).Open()
}

func atStage(index int) func(client.RolloutExecution) bool {
	return func(e client.RolloutExecution) bool {
		return len(e.Timeline) > 0 && int(e.StageIndex) == index
	}
}
