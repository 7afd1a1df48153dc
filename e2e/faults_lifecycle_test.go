package e2e

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// A stop waits until a running upload has finished. An open event stream does not delay it.
func TestAStopLetsRequestsFinish(t *testing.T) {
	t.Parallel()
	env := settings(t)
	migrate(t, env)
	server := waftd(t, "serve", env)
	p := newProject(t, "http://"+server.addr, env["WAFT_ROOT_KEY"])
	body, contentType := form(t, part{"index.hbc", "the bundle"})
	read, write := io.Pipe()
	type answer struct {
		build *client.UploadBuildResponse
		err   error
	}
	answered := make(chan answer, 1)
	go func() {
		res, err := p.UploadBuildWithBodyWithResponse(t.Context(), &client.UploadBuildParams{}, contentType, read)
		answered <- answer{res, err}
	}()
	_, err := write.Write(body.Next(body.Len() - 20))
	require.NoError(t, err)
	// Wait until the file is in the server's folder: the request is then in progress. No release is published yet, so
	// the server does not write compressed files to the same folder.
	eventually(t, func() bool {
		files, err := os.ReadDir(filepath.Join(env["WAFT_DATA_DIR"], "uploads"))
		require.NoError(t, err)
		return len(files) > 0
	})
	policyID, err := p.EnsurePolicy(t.Context(), shortStages("careful"))
	require.NoError(t, err)
	followed := p.publish(t, madeExports(t)["stable"], "stable", policyID)[0]
	stream := get(t, p, "/v1/ota/rollout-executions/"+strconv.FormatInt(*followed.RolloutExecutionID, 10)+"/stream")
	defer stream.Body.Close()

	stopped := make(chan error, 1)
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	go func() { stopped <- server.stop(ctx) }()
	// The stream ends when the stop begins. The upload is still in progress.
	_, err = io.Copy(io.Discard, stream.Body)
	require.NoError(t, err)
	require.Empty(t, stopped)
	_, err = write.Write(body.Bytes())
	require.NoError(t, err)
	require.NoError(t, write.Close())
	got := <-answered
	require.NoError(t, got.err)
	require.Equal(t, http.StatusCreated, got.build.StatusCode())
	require.NoError(t, <-stopped)
}

func TestAServerRefusesASchemaThatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	for _, role := range []string{"api", "worker", "serve"} {
		t.Run(role+" before any migration", func(t *testing.T) {
			t.Parallel()
			env := settings(t)
			env["DATABASE_URL"], env["CLICKHOUSE_URL"] = enginetest.Postgres(t), enginetest.ClickHouse(t)
			server := launch(t, env, role)
			requireRefusal(t, server, "waftd migrate")
		})
	}
	t.Run("on databases of a newer version", func(t *testing.T) {
		t.Parallel()
		env := settings(t)
		env["DATABASE_URL"] = enginetest.Postgres(t)
		migrate(t, env)
		enginetest.ExecPostgres(t, env["DATABASE_URL"], `INSERT INTO waft_migrations (version_id, is_applied) VALUES (99999, true)`)
		requireRefusal(t, launch(t, env, "serve"), "newer")
	})
	t.Run("with bad settings, all of them named", func(t *testing.T) {
		t.Parallel()
		env := settings(t)
		env["WAFT_SECRET_KEY"], env["WAFT_LOG_FORMAT"] = "short", "xml"
		server := launch(t, env, "api")
		requireRefusal(t, server, "WAFT_SECRET_KEY")
		requireRefusal(t, server, "WAFT_LOG_FORMAT")
	})
}

// requireRefusal checks that the process ended with an error that contains says.
func requireRefusal(t *testing.T, p *process, says string) {
	t.Helper()
	limit, cancel := context.WithTimeout(t.Context(), startLimit)
	defer cancel()
	select {
	case <-p.exited:
	case <-limit.Done():
		require.FailNow(t, "the server is still running", "%s", p.log)
	}
	require.False(t, p.command.ProcessState.Success())
	require.Contains(t, p.log.String(), says)
}

func get(t *testing.T, p project, path string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+path, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+p.key)
	req.Header.Set("X-Project", p.slug)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, res.StatusCode)
	return res
}
