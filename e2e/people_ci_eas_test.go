package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/waft-ota/waft/models"
)

// easWorkflow has the keys of a workflow file that the documentation of EAS Workflows describes and the file of Waft uses.
type easWorkflow struct {
	Name string
	On   struct{ Push struct{ Branches []string } }
	Jobs map[string]struct {
		Name, If, Environment string
		RunsOn                string `yaml:"runs_on"`
		Env, Outputs          map[string]string
		Steps                 []struct {
			ID, Name, Uses, Run string
			Outputs             []string
			Env                 map[string]string
		}
	}
}

// easNames matches the expressions that the file may use. `run` must not have one, because EAS puts the value into the script.
var easNames = regexp.MustCompile(`\$\{\{ (github\.(sha|ref_name|event_name != 'pull_request')|steps\.publish\.outputs\.[a-z_]+) \}\}`)

// readEASWorkflow reads the file, and fails the test for a key that the documentation does not describe.
func readEASWorkflow(t *testing.T) (of easWorkflow) {
	t.Helper()
	file, err := os.Open(filepath.Join(actionDir, "eas/waft.yml"))
	require.NoError(t, err)
	defer file.Close()
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	require.NoError(t, decoder.Decode(&of))
	require.Len(t, of.Jobs, 1)
	return of
}

func TestTheEASWorkflowMatchesTheSchemaOfItsSteps(t *testing.T) {
	t.Parallel()
	job := readEASWorkflow(t).Jobs["waft_publish"]
	document := documents(t, filepath.Join(actionDir, "eas/waft.yml"))[0].(map[string]any)
	requireSchema(t, "eas-steps.json", document["jobs"].(map[string]any)["waft_publish"].(map[string]any)["steps"])
	text, err := json.Marshal(document)
	require.NoError(t, err)
	require.NotContains(t, easNames.ReplaceAllString(string(text), ""), "${{")
	require.Contains(t, []string{"production", "preview", "development"}, job.Environment)
	require.Contains(t, []string{"linux-medium", "linux-large", "macos-medium", "macos-large"}, job.RunsOn)
	for _, step := range job.Steps {
		require.NotContains(t, step.Run, "${{", "a value in a script is a command")
		if step.Uses == "eas/install_node_modules" {
			require.Equal(t, map[string]string{"WAFT_API_KEY": ""}, step.Env, "scripts of the dependencies get the key")
		} else {
			require.Empty(t, step.Env, "runEASWorkflow sets the variables of the job only")
		}
	}
	declared := map[string]bool{}
	for _, step := range job.Steps {
		for _, name := range step.Outputs {
			declared["${{ steps."+step.ID+".outputs."+name+" }}"] = true
		}
	}
	for name, value := range job.Outputs {
		require.True(t, declared[value], name)
	}
}

// runEASWorkflow runs the scripts of the job as EAS does, and returns the outputs and what the scripts print. The functions of EAS have
// done their work already: app is checked out and has its packages.
func runEASWorkflow(t *testing.T, app string, github map[string]string, env ...string) (outputs map[string]string, log string, err error) {
	t.Helper()
	temp := t.TempDir()
	given := func(name string) string { return filepath.Join(temp, name) }
	for name, script := range map[string]string{
		// As in @expo/steps: an output without a value is refused.
		"set-output": "#!/bin/sh\n[ -n \"$1\" ] && [ -n \"$2\" ] || exit 2\nprintf '%s=%s\\n' \"$1\" \"$2\" >>" + given("outputs") + "\n",
		"set-env":    "#!/bin/sh\n[ -n \"$1\" ] || exit 2\nprintf '%s=%s\\n' \"$1\" \"$2\" >>" + given("env") + "\n",
		"npm":        "#!/usr/bin/env bash\necho \"npm $*\"\n",
	} {
		require.NoError(t, os.WriteFile(given(name), []byte(script), 0o700))
	}
	for _, name := range []string{"outputs", "env"} {
		require.NoError(t, os.WriteFile(given(name), nil, 0o600))
	}
	job := readEASWorkflow(t).Jobs["waft_publish"]
	var said strings.Builder
	for _, step := range job.Steps {
		if step.Uses != "" {
			require.Contains(t, []string{"eas/checkout", "eas/install_node_modules"}, step.Uses)
			continue
		}
		script := given("script.sh")
		require.NoError(t, os.WriteFile(script, []byte(step.Run), 0o600))
		cmd := exec.CommandContext(t.Context(), "/bin/bash", "-eo", "pipefail", script)
		cmd.Dir = app
		set, err := os.ReadFile(given("env"))
		require.NoError(t, err)
		cmd.Env = append(os.Environ(), "CI=1", "PATH="+temp+":"+os.Getenv("PATH"), "HOME="+temp, "XDG_CACHE_HOME="+temp)
		for name, value := range job.Env {
			cmd.Env = append(cmd.Env, name+"="+github[strings.TrimSuffix(strings.TrimPrefix(value, "${{ github."), " }}")])
		}
		cmd.Env = append(append(cmd.Env, env...), strings.Fields(string(set))...)
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Run(); err != nil {
			return nil, said.String(), err
		}
	}
	made, err := os.ReadFile(given("outputs"))
	require.NoError(t, err)
	outputs = map[string]string{}
	for line := range strings.Lines(string(made)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		require.Contains(t, job.Outputs, name)
		outputs[name] = value
	}
	return outputs, said.String(), nil
}

// requireEASWorkflow runs the workflow for an app against the project.
func (p *ci) requireEASWorkflow(app, waft string) {
	p.t.Helper()
	variables := []string{
		"WAFT_CLI=" + waft, "WAFT_URL=" + p.url, "WAFT_PROJECT=" + p.slug, "WAFT_CHANNEL=staging", "WAFT_POLICY=quick", "WAFT_FOLLOW=end",
		"WAFT_API_KEY=" + p.keys[models.RoleEditor],
	}
	branch := "release/$(touch injected);`id`"
	outputs, log, err := runEASWorkflow(p.t, app, map[string]string{"sha": "facade", "ref_name": branch}, variables...)
	require.NoError(p.t, err, log)
	require.Contains(p.t, log, "completed")
	require.NoFileExists(p.t, filepath.Join(app, "injected"))
	ids := strings.Split(outputs["release_ids"], ",")
	require.Len(p.t, ids, 2)
	require.Len(p.t, strings.Split(outputs["rollout_ids"], ","), 2)
	release := p.do(request{method: "GET", path: "/v1/ota/updates/" + ids[0]}).record(200)
	build := p.do(request{method: "GET", path: path("/v1/ota/builds/%d", release.id("buildId"))}).record(200)
	require.Equal(p.t, "facade", build["gitCommitHash"])
	require.Equal(p.t, branch, build["gitBranch"])

	// A run by hand has no commit and no branch; without a policy, the output of rollouts has no value.
	outputs, log, err = runEASWorkflow(p.t, app, nil, append(variables, "WAFT_POLICY=")...)
	require.NoError(p.t, err, log)
	require.NotContains(p.t, outputs, "rollout_ids")

	_, log, err = runEASWorkflow(p.t, app, nil, append(variables, "WAFT_API_KEY=")...)
	require.Error(p.t, err)
	require.Contains(p.t, log, "WAFT_API_KEY: set it as a secret")
}

// The workflow passes while a publish waits for approval, and installs the command where it is missing.
func TestTheEASWorkflowPassesWhileAPublishWaits(t *testing.T) {
	t.Parallel()
	waft := filepath.Join(t.TempDir(), "waft")
	for code, passes := range map[string]bool{"0": true, "4": true, "1": false, "7": false} {
		script := "#!/bin/sh\n[ \"$1\" = publish ] && exit " + code + "\n[ \"$2\" != outputs ] || printf 'group-id=\\nurl=https://x/app\\n'\n"
		require.NoError(t, os.WriteFile(waft, []byte(script), 0o700))
		outputs, log, err := runEASWorkflow(t, t.TempDir(), nil,
			"WAFT_CLI="+waft, "WAFT_URL=https://x", "WAFT_PROJECT=demo", "WAFT_CHANNEL=production", "WAFT_API_KEY=key")
		require.Equal(t, passes, err == nil, log)
		require.Equal(t, code == "4", strings.Contains(log, "waits for approval"))
		if passes {
			require.Equal(t, map[string]string{"url": "https://x/app"}, outputs)
		}
	}
	_, log, err := runEASWorkflow(t, t.TempDir(), nil,
		"WAFT_URL=https://x", "WAFT_PROJECT=demo", "WAFT_CHANNEL=production", "WAFT_API_KEY=key")
	require.Error(t, err, "npm has installed nothing")
	require.Contains(t, log, "npm install --global --prefix ")
	require.Contains(t, log, "/.waft-cli/bin/waft: No such file")
}
