package e2e

import (
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// The script of the GitLab job does the same for a merge request. Its export is the export of the example app.
func TestTheGitLabJobPublishesAndComments(t *testing.T) {
	t.Parallel()
	p := forCI(t)
	waft, err := buildWaft()
	require.NoError(t, err)
	gitlab := commentsOf(t, "/api/projects/5/merge_requests/7/notes", "PUT /api/projects/5/merge_requests/7/notes/{id}", p.idToken)
	gitlab.copied = "<!-- waft " + p.slug + " staging -->"
	text, err := os.ReadFile(filepath.Join(actionDir, "gitlab/waft.gitlab-ci.yml"))
	require.NoError(t, err)
	_, job, _ := strings.Cut(string(text), "\n---\n")
	for name, value := range map[string]string{
		"url": p.url, "project": p.slug, "channel": "production", "preview-channel": "staging", "app": exportedAppCopy(t),
		"policy": "quick", "follow": "end", "stage": "deploy", "image": "node:22",
	} {
		job = strings.ReplaceAll(job, "$[[ inputs."+name+" ]]", value)
	}
	require.NotContains(t, job, "$[[")
	var parsed map[string]struct {
		Variables map[string]string
		IDTokens  map[string]struct{ Aud string } `yaml:"id_tokens"`
		Script    []string
		Rules     []struct{ Variables map[string]string }
	}
	require.NoError(t, yaml.Unmarshal([]byte(job), &parsed))
	of := parsed["waft-publish"]
	maps.Copy(of.Variables, of.Rules[0].Variables) // of a merge request
	run := func() string {
		dir := t.TempDir()
		cmd := exec.CommandContext(t.Context(), "bash", "-e", "-o", "pipefail", "-c", strings.Join(of.Script, "\n"))
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GITLAB_CI=true", "WAFT_CLI="+waft, "CI_API_V4_URL="+gitlab.url+"/api", "CI_PROJECT_ID=5",
			"CI_MERGE_REQUEST_IID=7", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=basket", "WAFT_GITLAB_TOKEN=of the project",
			"XDG_CACHE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "EXPO_NO_TELEMETRY=1", "EXPO_OFFLINE=1")
		for name, value := range of.Variables {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		for name, token := range of.IDTokens {
			cmd.Env = append(cmd.Env, name+"="+p.idToken(token.Aud))
		}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		made, err := os.ReadFile(filepath.Join(dir, "waft.env"))
		require.NoError(t, err)
		return string(made)
	}
	require.Regexp(t, `(?m)^WAFT_RELEASE_IDS=\d+,\d+$`, run())
	require.Contains(t, gitlab.only(t), "completed at 100%")
	run()
	require.Equal(t, 1, strings.Count(strings.Join(gitlab.calls, " "), http.MethodPost))
	require.Contains(t, gitlab.only(t), "<!-- waft "+p.slug+" staging -->")
}
