package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/waft-ota/waft/internal/lab/site"
)

// fileOfGuide decodes a YAML file that a guide shows, counted from 0.
func fileOfGuide(t *testing.T, guide string, index int, into any) {
	t.Helper()
	page, err := site.Read("..", "docs/guides/releases/"+guide)
	require.NoError(t, err)
	var files []string
	for _, block := range page.Blocks {
		if block.Language == "yaml" {
			files = append(files, block.Text)
		}
	}
	require.Greater(t, len(files), index)
	require.NoError(t, yaml.Unmarshal([]byte(files[index]), into))
}

// guideJob is a job of a workflow of GitHub, and of GitLab.
type guideJob struct {
	Steps []struct {
		Uses, Run string
		With      map[string]string
	}
	Env, Variables map[string]string
	Script         []string
}

// The workflow of the guide gives the action the inputs that it has and needs, and the guide describes each input. The file of GitLab gives
// the job its inputs.
func TestTheGuidesNameTheInputsOfTheirFiles(t *testing.T) {
	t.Parallel()
	var action struct {
		Inputs map[string]struct{ Required bool }
	}
	text, err := os.ReadFile(filepath.Join(actionDir, "action.yml"))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &action))
	guide, err := os.ReadFile("../docs/guides/releases/github.md")
	require.NoError(t, err)
	var workflow struct{ Jobs map[string]guideJob }
	fileOfGuide(t, "github.md", 0, &workflow)
	steps := workflow.Jobs["publish"].Steps
	last := steps[len(steps)-1]
	require.True(t, strings.HasPrefix(last.Uses, "waft-ota/waft/action@"), last.Uses)
	for name := range last.With {
		require.Contains(t, action.Inputs, name)
	}
	for name, input := range action.Inputs {
		require.Contains(t, string(guide), "`"+name+"`", "the guide describes the input")
		require.True(t, !input.Required || last.With[name] != "", name)
	}

	var include struct {
		Include []struct{ Inputs map[string]string }
	}
	fileOfGuide(t, "gitlab.md", 0, &include)
	require.Len(t, include.Include, 1)
	spec := documents(t, filepath.Join(actionDir, "gitlab/waft.gitlab-ci.yml"))[0].(map[string]any)["spec"].(map[string]any)
	for name := range include.Include[0].Inputs {
		require.Contains(t, spec["inputs"], name)
	}
	for index := range 2 {
		var file any
		fileOfGuide(t, "gitlab.md", index, &file)
		requireSchema(t, "gitlab-ci.json", file)
	}
}

// The jobs that the guides show without the action publish an export that an earlier job made.
func TestTheJobsOfTheGuidesPublish(t *testing.T) {
	t.Parallel()
	var github struct{ Jobs map[string]guideJob }
	fileOfGuide(t, "github.md", 1, &github)
	gitlab := gitLabJobs(t)
	var buildkite struct {
		Steps []struct {
			Env     map[string]string
			Command []string
		}
	}
	fileOfGuide(t, "buildkite.md", 0, &buildkite)
	for name, job := range map[string]struct {
		env    map[string]string
		script []string
	}{
		"GitHub":    {github.Jobs["publish"].Env, scriptsOf(github.Jobs["publish"])},
		"GitLab":    {gitlab["staging"].Variables, gitlab["staging"].Script},
		"Buildkite": {buildkite.Steps[1].Env, buildkite.Steps[1].Command},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, map[string]string{"WAFT_URL": "https://ota.example.com", "WAFT_PROJECT": "demo"}, job.env)
			p := forCI(t)
			p.runGuide(t, strings.ReplaceAll(strings.Join(job.script, "\n"), "$$", "$"))
			releases := p.list("/v1/ota/updates?limit=200")
			require.Len(t, releases, 2)
			for _, release := range releases {
				require.Equal(t, "staging", release["channel"])
				require.Equal(t, "0123456789abcdef0123456789abcdef01234567", release["gitCommitHash"])
			}
		})
	}
}

func scriptsOf(job guideJob) (scripts []string) {
	for _, step := range job.Steps {
		if step.Run != "" {
			scripts = append(scripts, step.Run)
		}
	}
	return scripts
}

// gitLabJobs returns the jobs of the second file of GitLab's guide, without its other keys.
func gitLabJobs(t *testing.T) map[string]guideJob {
	t.Helper()
	var file map[string]yaml.Node
	fileOfGuide(t, "gitlab.md", 1, &file)
	jobs := map[string]guideJob{}
	for name, node := range file {
		var job guideJob
		if node.Kind == yaml.MappingNode {
			require.NoError(t, node.Decode(&job))
			jobs[name] = job
		}
	}
	return jobs
}

// runGuide runs the script of a job in a folder with the export, as the three CI systems do.
func (p *ci) runGuide(t *testing.T, script string) {
	t.Helper()
	const install = "npm install --global --ignore-scripts @waft/cli"
	script = strings.ReplaceAll(script, install, "true # waft is on the PATH")
	waft, err := buildWaft()
	require.NoError(t, err)
	dir, temp := t.TempDir(), t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "dist"), os.DirFS(realExports(t)["stable"])))
	github := commentsOf(t, "/unused", "PATCH /unused/{id}", p.idToken)
	agent := "#!/bin/sh\nif [ \"$1 $2\" = 'oidc request-token' ]; then echo \"$WAFT_TEST_ID_TOKEN\"; fi\n"
	require.NoError(t, os.WriteFile(filepath.Join(temp, "buildkite-agent"), []byte(agent), 0o700))
	cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script)
	cmd.Dir = dir
	const commit = "0123456789abcdef0123456789abcdef01234567"
	cmd.Env = append(withoutSettings(), "PATH="+filepath.Dir(waft)+":"+temp+":"+os.Getenv("PATH"), "WAFT_URL="+p.url, "WAFT_PROJECT="+p.slug,
		"XDG_CACHE_HOME="+temp, "XDG_CONFIG_HOME="+temp, "GITHUB_SHA="+commit, "GITHUB_REF_NAME=main", "CI_COMMIT_SHA="+commit,
		"CI_COMMIT_BRANCH=main", "BUILDKITE_COMMIT="+commit, "BUILDKITE_BRANCH=main")
	switch {
	case strings.Contains(script, "buildkite-agent"):
		cmd.Env = append(cmd.Env, "WAFT_TEST_ID_TOKEN="+p.idToken(p.url))
	case strings.Contains(script, "CI_COMMIT_SHA"):
		cmd.Env = append(cmd.Env, "WAFT_ID_TOKEN="+p.idToken(p.url))
	default:
		cmd.Env = append(cmd.Env, "GITHUB_ACTIONS=true", "ACTIONS_ID_TOKEN_REQUEST_URL="+github.url+"/id-token?version=2",
			"ACTIONS_ID_TOKEN_REQUEST_TOKEN=of the job")
	}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}
