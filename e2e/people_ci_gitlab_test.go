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

// gitlabJob is the job of the file for GitLab CI.
type gitlabJob struct {
	Variables map[string]string
	IDTokens  map[string]struct{ Aud string } `yaml:"id_tokens"`
	Script    []string
	Rules     []struct{ Variables map[string]string }
}

// readGitLabJob returns the job with the values of its inputs.
func readGitLabJob(t *testing.T, inputs map[string]string) gitlabJob {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(actionDir, "gitlab/waft.gitlab-ci.yml"))
	require.NoError(t, err)
	_, job, _ := strings.Cut(string(text), "\n---\n")
	for name, value := range inputs {
		job = strings.ReplaceAll(job, "$[[ inputs."+name+" ]]", value)
	}
	require.NotContains(t, job, "$[[")
	var parsed map[string]gitlabJob
	require.NoError(t, yaml.Unmarshal([]byte(job), &parsed))
	return parsed["waft-publish"]
}

// run runs the script of the job in a folder, as GitLab does, and returns what it prints.
func (j gitlabJob) run(t *testing.T, dir string, env ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-e", "-o", "pipefail", "-c", strings.Join(j.Script, "\n"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GITLAB_CI=true", "XDG_CACHE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "EXPO_NO_TELEMETRY=1", "EXPO_OFFLINE=1")
	for name, value := range j.Variables {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// The script of the GitLab job does the same for a merge request. Its export is the export of the example app.
func TestTheGitLabJobPublishesAndComments(t *testing.T) {
	t.Parallel()
	p := forCI(t)
	waft, err := buildWaft()
	require.NoError(t, err)
	gitlab := commentsOf(t, "/api/projects/5/merge_requests/7/notes", "PUT /api/projects/5/merge_requests/7/notes/{id}", p.idToken)
	gitlab.copied = "<!-- waft " + p.slug + " staging -->"
	job := readGitLabJob(t, map[string]string{
		"url": p.url, "project": p.slug, "channel": "production", "preview-channel": "staging", "app": exportedAppCopy(t),
		"policy": "quick", "follow": "end", "stage": "deploy", "image": "node:22",
	})
	maps.Copy(job.Variables, job.Rules[0].Variables) // of a merge request
	run := func() string {
		dir := t.TempDir()
		env := []string{
			"WAFT_CLI=" + waft, "CI_API_V4_URL=" + gitlab.url + "/api", "CI_PROJECT_ID=5", "CI_MERGE_REQUEST_IID=7",
			"CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=basket", "WAFT_GITLAB_TOKEN=of the project",
		}
		for name, token := range job.IDTokens {
			env = append(env, name+"="+p.idToken(token.Aud))
		}
		out, err := job.run(t, dir, env...)
		require.NoError(t, err, out)
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

// The job passes while a publish waits for approval, names the branch, and installs the app's packages without the ID token and the keys.
// A tag is not a branch.
func TestTheGitLabJobKeepsItsKeys(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code, branch, want string
		fails              bool
	}{
		"a push":               {code: "0", branch: "CI_COMMIT_BRANCH=main", want: "main"},
		"a merge request":      {code: "0", branch: "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=$(id);`id`", want: "$(id);`id`"},
		"a tag":                {code: "0", branch: "CI_COMMIT_TAG=v1.2.3"},
		"a publish that waits": {code: "4", branch: "CI_COMMIT_BRANCH=main", want: "main"},
		"a publish that fails": {code: "7", branch: "CI_COMMIT_BRANCH=main", want: "main", fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range map[string]string{
				"package-lock.json": "{}",
				"bin/npm":           "#!/bin/sh\necho \"npm $* with <$WAFT_ID_TOKEN$WAFT_API_KEY$WAFT_GITLAB_TOKEN>\" >>" + dir + "/calls\n",
				"bin/waft": "#!/bin/sh\n[ \"$1\" != token ] || echo key\n" +
					"[ \"$1\" != publish ] || { printf '%s\\n' \"$WAFT_API_KEY\" \"$@\" >>" + dir + "/calls; exit " + c.code + "; }\n",
			} {
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o700))
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o700))
			}
			job := readGitLabJob(t, map[string]string{
				"url": "https://x", "project": "demo", "channel": "staging", "preview-channel": "preview", "app": dir, "policy": "",
				"follow": "end", "stage": "deploy", "image": "node:22",
			})
			_, ref, _ := strings.Cut(c.branch, "=")
			out, err := job.run(t, dir, c.branch, "CI_COMMIT_REF_NAME="+ref, "PATH="+dir+"/bin:"+os.Getenv("PATH"), "WAFT_CLI="+dir+"/bin/waft",
				"WAFT_ID_TOKEN=token", "WAFT_API_KEY=", "WAFT_GITLAB_TOKEN=comments")
			require.Equal(t, c.fails, err != nil, out)
			text, err := os.ReadFile(filepath.Join(dir, "calls"))
			require.NoError(t, err)
			calls := string(text)
			require.True(t, strings.HasPrefix(calls, "npm ci with <>\nkey\npublish\n"), calls)
			_, branch, found := strings.Cut(calls, "--git-branch\n")
			branch, _, _ = strings.Cut(branch, "\n")
			require.True(t, found)
			require.Equal(t, c.want, branch)
		})
	}
}
