package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/waft-ota/waft/internal/identity/idtoken/idtokentest"
	"github.com/waft-ota/waft/models"
)

const actionDir = "../action"

// documents reads the documents of a YAML file.
func documents(t *testing.T, name string) (all []any) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document any
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all = append(all, document)
	}
}

// offline returns an empty schema for each schema that a published schema refers to by its address.
type offline struct{}

func (offline) Load(string) (any, error) { return map[string]any{}, nil }

// requireSchema compares a document with a published schema.
func requireSchema(t *testing.T, schema string, document any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata/schemas", schema))
	require.NoError(t, err)
	of, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(offline{})
	require.NoError(t, compiler.AddResource("https://waft.test/"+schema, of))
	compiled, err := compiler.Compile("https://waft.test/" + schema)
	require.NoError(t, err)
	plain, err := json.Marshal(document)
	require.NoError(t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(plain))
	require.NoError(t, err)
	require.NoError(t, compiled.Validate(value))
}

func TestFilesForCIMatchTheirSchemas(t *testing.T) {
	t.Parallel()
	for _, document := range documents(t, filepath.Join(actionDir, "action.yml")) {
		requireSchema(t, "github-action.json", document)
	}
	gitlab := documents(t, filepath.Join(actionDir, "gitlab/waft.gitlab-ci.yml"))
	require.Len(t, gitlab, 2)
	for _, document := range gitlab {
		requireSchema(t, "gitlab-ci.json", document)
	}
	for _, document := range documents(t, filepath.Join(actionDir, "eas/package.json")) {
		requireSchema(t, "package.json", document)
	}
}

// Waft's npm packages do not have scripts, so an installation of the command does not run any where a job has its keys.
func TestFilesForCIInstallTheCommandWithoutScripts(t *testing.T) {
	t.Parallel()
	var installations int
	require.NoError(t, filepath.WalkDir(actionDir, func(name string, file os.DirEntry, err error) error {
		if err != nil || file.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "npm install --global") {
				installations++
				require.Contains(t, line, "--ignore-scripts", name)
			}
		}
		return err
	}))
	require.Equal(t, 4, installations)
}

// comments is the part of the APIs of GitHub and GitLab that has the comments of one pull request, and GitHub's issuer of ID tokens.
type comments struct {
	url string

	mu     sync.Mutex
	bodies []string // by ID, from 1
	calls  []string
	// copied is the text of a comment by a person.
	copied string
}

// commentsOf starts the API. token returns the ID token of the job for an audience.
func commentsOf(t *testing.T, list, one string, token func(audience string) string) *comments {
	t.Helper()
	c := &comments{}
	answer := func(w http.ResponseWriter, status int, value any) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(value) // the client reports a broken response
	}
	body := func(r *http.Request) string {
		var sent struct{ Body string }
		_ = json.NewDecoder(r.Body).Decode(&sent) // an empty body fails the test
		return sent.Body
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /id-token", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer of the job" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		answer(w, 200, object{"value": token(r.URL.Query().Get("audience"))})
	})
	mux.HandleFunc(list, func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.calls = append(c.calls, r.Method)
		if r.Method == http.MethodPost {
			c.bodies = append(c.bodies, body(r))
			answer(w, 201, object{"id": len(c.bodies)})
			return
		}
		person, job := object{"id": 60, "type": "User"}, object{"id": 50, "type": "Bot"}
		all := []object{{"id": 900, "body": c.copied, "user": person, "author": person}}
		for i, text := range c.bodies {
			all = append(all, object{"id": i + 1, "body": text, "user": job, "author": job})
		}
		answer(w, 200, all)
	})
	mux.HandleFunc("GET /api/user", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, object{"id": 50}) }) // GitHub: 404
	mux.HandleFunc(one, func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.calls = append(c.calls, r.Method)
		var id int
		if _, err := fmt.Sscan(r.PathValue("id"), &id); err != nil || id < 1 || id > len(c.bodies) {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		c.bodies[id-1] = body(r)
		answer(w, 200, object{"id": id})
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	c.url = server.URL
	return c
}

// only returns the text of the comment, and fails the test unless there is exactly one comment.
func (c *comments) only(t *testing.T) string {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	require.Len(t, c.bodies, 1)
	return c.bodies[0]
}

// forCI returns a project with a worker. The project trusts the main branch of acme/app, and its policy "quick" completes after a second.
func forCI(t *testing.T) *ci {
	t.Helper()
	env := settings(t)
	env["WAFT_ISSUER_ALLOWED_NETWORKS"] = "127.0.0.1"
	server := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}
	p := &ci{server.tenant(t), idtokentest.New(t)}
	p.trust(p.entry(object{"audience": p.url, "channels": []string{"staging"}}))
	policy := p.inStages(1, 0, 100)
	policy["name"], policy["thresholds"] = "quick", object{}
	p.create("/v1/ota/rollout-policies", policy)
	return p
}

// idToken returns a new ID token of the job.
func (p *ci) idToken(audience string) string {
	return p.issuer.Sign(p.claims(map[string]any{"aud": audience}))
}

// expression matches an expression of GitHub Actions that the action uses.
var expression = regexp.MustCompile(`\$\{\{ *([a-z.-]+) *\}\}`)

// runAction runs the steps of the action in their shell, as GitHub does, and returns the outputs and what the steps print.
func runAction(t *testing.T, github *comments, inputs map[string]string) (outputs map[string]string, log string, err error) {
	t.Helper()
	var action struct {
		Inputs  map[string]struct{ Default string }
		Outputs map[string]struct{ Value string }
		Runs    struct {
			Steps []struct {
				ID, Shell, Run string
				Env            map[string]string
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(actionDir, "action.yml"))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &action))
	values := map[string]string{"github.token": "token of the job"}
	for name, input := range action.Inputs {
		values["inputs."+name] = input.Default
	}
	for name, value := range inputs {
		require.Contains(t, action.Inputs, name)
		values["inputs."+name] = value
	}
	evaluate := func(text string) string {
		for expression.MatchString(text) { // a default may be an expression
			text = expression.ReplaceAllStringFunc(text, func(one string) string { return values[expression.FindStringSubmatch(one)[1]] })
		}
		return text
	}
	path, err := filepath.Abs(actionDir)
	require.NoError(t, err)
	event, temp := filepath.Join(t.TempDir(), "event.json"), t.TempDir()
	require.NoError(t, os.WriteFile(event, []byte(`{"pull_request": {"number": 7}}`), 0o600))
	var said bytes.Buffer
	for i, step := range action.Runs.Steps {
		require.Equal(t, "bash", step.Shell)
		require.NotContains(t, step.Run, "${{", "an input in a script is a command")
		file := filepath.Join(temp, fmt.Sprint("output-", i))
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.Run)
		cmd.Env = append(os.Environ(), "GITHUB_ACTIONS=true", "GITHUB_ACTION_PATH="+path, "GITHUB_OUTPUT="+file, "RUNNER_TEMP="+temp,
			"GITHUB_API_URL="+github.url, "GITHUB_REPOSITORY=acme/app", "GITHUB_EVENT_PATH="+event, "GITHUB_HEAD_REF=basket",
			"ACTIONS_ID_TOKEN_REQUEST_URL="+github.url+"/id-token?version=2", "ACTIONS_ID_TOKEN_REQUEST_TOKEN=of the job",
			"XDG_CACHE_HOME="+temp, "XDG_CONFIG_HOME="+temp, "EXPO_NO_TELEMETRY=1", "EXPO_OFFLINE=1")
		for name, value := range step.Env {
			cmd.Env = append(cmd.Env, name+"="+evaluate(value))
		}
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Run(); err != nil {
			return nil, said.String(), err
		}
		made, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(made)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			values["steps."+step.ID+".outputs."+name] = value
		}
	}
	outputs = map[string]string{}
	for name, output := range action.Outputs {
		outputs[name] = evaluate(output.Value)
	}
	return outputs, said.String(), nil
}

// exportedApp returns the folder of the example app, ready to be exported.
func exportedApp(t *testing.T) string {
	t.Helper()
	app, err := filepath.Abs("../examples/expo-app")
	require.NoError(t, err)
	version := exec.CommandContext(t.Context(), "node", "scripts/write-version.mjs", "stable")
	version.Dir = app
	out, err := version.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return app
}

// The steps of the action export the example app, publish it without a stored key, follow the rollout to its end and comment on the pull
// request. A second run of the job changes the same comment.
func TestTheActionPublishesAndComments(t *testing.T) {
	t.Parallel()
	p := forCI(t)
	waft, err := buildWaft()
	require.NoError(t, err)
	github := commentsOf(t, "/repos/acme/app/issues/7/comments", "PATCH /repos/acme/app/issues/comments/{id}", p.idToken)
	github.copied = "<!-- waft " + p.slug + " staging -->"
	inputs := map[string]string{
		"url": p.url, "project": p.slug, "channel": "staging", "cli": waft, "platform": "ios", "policy": "quick", "follow": "end",
		"app": exportedApp(t), "message": "Fix `the basket` $(touch injected); @everyone",
	}
	outputs, log, err := runAction(t, github, inputs)
	require.NoError(t, err, log)
	require.NoFileExists(t, "injected")
	release := p.do(request{method: http.MethodGet, path: "/v1/ota/updates/" + outputs["release-ids"]}).record(200)
	require.Equal(t, "staging", release["channel"])
	require.Equal(t, outputs["group-id"], release["groupId"])
	require.Equal(t, outputs["update-ids"], release["updateUuid"])
	require.Equal(t, inputs["message"], release["releaseMessage"])
	require.Contains(t, outputs["url"], "/app/"+p.slug+"/rollouts/"+outputs["rollout-ids"])
	build := p.do(request{method: http.MethodGet, path: path("/v1/ota/builds/%d", release.id("buildId"))}).record(200)
	require.Equal(t, "basket", build["gitBranch"])
	require.NotZero(t, build["sourceMapBytes"])
	first := github.only(t)
	require.Contains(t, first, "release "+outputs["release-ids"])
	require.Contains(t, first, "completed at 100%")
	require.Contains(t, first, "`Fix 'the basket' $(touch injected); @everyone`")

	delete(inputs, "app")
	inputs["export"], inputs["policy"] = realExports(t)["next"], ""
	outputs, log, err = runAction(t, github, inputs)
	require.NoError(t, err, log)
	require.Empty(t, outputs["rollout-ids"])
	second := github.only(t)
	require.Contains(t, second, "release "+outputs["release-ids"])
	require.Contains(t, second, "for 100% of devices")
	require.Equal(t, http.MethodPost, github.calls[1])
	require.NotContains(t, github.calls[2:], http.MethodPost)
}

func TestTheActionChecksItsInputsFirst(t *testing.T) {
	t.Parallel()
	for input, bad := range map[string][]string{
		"url":     {"ftp://ota.example.com", "https://x y", "https://x\nhttps://y", "x https://[::1]"},
		"project": {"Demo; id"}, "channel": {""}, "platform": {"windows", "iosx", "xall"},
		"follow": {"never", "weekend", "published-later"}, "follow-minutes": {"0"}, "comment": {"yes", "trueish", "xfalse"},
		"cli-version": {"1.0 && id"}, "export": {"missing", "100%\r\n::warning::injected"}, "app": {"missing"},
	} {
		for _, value := range bad {
			inputs := map[string]string{"url": "https://x", "project": "demo", "channel": "staging", "cli": "missing", "app": "../examples/expo-app"}
			inputs[input] = value
			_, log, err := runAction(t, &comments{}, inputs)
			require.Error(t, err, "%s %q", input, value)
			require.Contains(t, log, "::error title=Waft::the ", "%s %q", input, value)
			require.NotContains(t, log, "cannot run", "%s %q", input, value)
			require.Equal(t, 1, strings.Count(log, "\n"), "%q", log)
		}
	}
	_, log, err := runAction(t, &comments{}, map[string]string{
		"url": "http://[::1]:8080", "project": "demo", "channel": "staging", "cli": "missing", "app": "../examples/expo-app", "platform": "ios",
	})
	require.Error(t, err)
	require.Contains(t, log, "the command waft cannot run")
}

func TestATrustedPublisherLimitsTheAction(t *testing.T) {
	t.Parallel()
	p := forCI(t)
	waft, err := buildWaft()
	require.NoError(t, err)
	github := commentsOf(t, "/repos/acme/app/issues/7/comments", "PATCH /repos/acme/app/issues/comments/{id}", p.idToken)
	// The trusted publisher may only publish to staging.
	_, log, err := runAction(t, github, map[string]string{
		"url": p.url, "project": p.slug, "channel": "production", "cli": waft, "export": realExports(t)["next"],
	})
	require.Error(t, err)
	require.Contains(t, log, string(models.CodeForbidden))
	require.Empty(t, github.bodies)
}

// exportedAppCopy returns an app whose package manager copies the export of the example app, so that tests do not run Metro twice.
func exportedAppCopy(t *testing.T) string {
	t.Helper()
	app := t.TempDir()
	from, err := filepath.Abs(realExports(t)["stable"])
	require.NoError(t, err)
	for name, text := range map[string]string{
		"package.json":                   "{}",
		"node_modules/expo/package.json": `{"name": "expo", "bin": "cli.sh"}`,
		"node_modules/.bin/expo": "#!/bin/sh\nset -e\nif [ \"$1\" = config ]; then exec cat " + from + "/expoConfig.json; fi\n" +
			"for out; do :; done; mkdir -p \"$out\"; cp -R " + from + "/. \"$out\"\n",
	} {
		name = filepath.Join(app, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o700))
	}
	return app
}

// The hook of EAS Build and the workflow publish with a stored key, because EAS has no ID tokens.
func TestTheFilesForEASPublish(t *testing.T) {
	t.Parallel()
	p := forCI(t)
	waft, err := buildWaft()
	require.NoError(t, err)
	var hooks struct{ Scripts map[string]string }
	text, err := os.ReadFile(filepath.Join(actionDir, "eas/package.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &hooks))
	app := exportedAppCopy(t)
	script, err := os.ReadFile(filepath.Join(actionDir, "eas/eas-build-on-success.sh"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(app, "eas-build-on-success.sh"), script, 0o600))
	run := func(channel string) string {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", hooks.Scripts["eas-build-on-success"])
		cmd.Dir = app
		cmd.Env = append(os.Environ(), "WAFT_CLI="+waft, "WAFT_URL="+p.url, "WAFT_PROJECT="+p.slug, "WAFT_API_KEY="+p.keys[models.RoleEditor],
			"WAFT_CHANNEL="+channel, "EAS_BUILD_PLATFORM=android", "EAS_BUILD_PROFILE=preview",
			"EAS_BUILD_GIT_COMMIT_HASH=c0ffee", "XDG_CACHE_HOME="+app)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	require.Contains(t, run(""), "this build is not published")
	require.Contains(t, run("staging"), "published to staging")
	builds := p.do(request{method: http.MethodGet, path: "/v1/ota/builds"}).list()
	require.Len(t, builds, 1)
	require.Equal(t, "c0ffee", builds[0]["gitCommitHash"])
	require.Equal(t, "android", builds[0]["platform"])

	p.requireEASWorkflow(app, waft)
}

// A build must not fail because its publish waits for approval.
func TestTheHookOfEASBuildPassesWhileAPublishWaits(t *testing.T) {
	t.Parallel()
	hook, err := filepath.Abs(filepath.Join(actionDir, "eas/eas-build-on-success.sh"))
	require.NoError(t, err)
	for code, want := range map[int]int{0: 0, 4: 0, 1: 1, 7: 7} {
		waft := filepath.Join(t.TempDir(), "waft")
		require.NoError(t, os.WriteFile(waft, fmt.Appendf(nil, "#!/bin/sh\nexit %d\n", code), 0o700))
		cmd := exec.CommandContext(t.Context(), "sh", hook)
		cmd.Env = append(os.Environ(), "WAFT_CLI="+waft, "WAFT_CHANNEL=production", "EAS_BUILD_PLATFORM=ios")
		out, _ := cmd.CombinedOutput() // the exit code is compared
		require.Equal(t, want, cmd.ProcessState.ExitCode())
		require.Equal(t, code == 4, strings.Contains(string(out), "waits for approval"))
	}
}

// The action names the branch of a push, a pull request and a merge queue. A tag is not a branch.
func TestTheActionNamesTheBranch(t *testing.T) {
	t.Parallel()
	script, err := filepath.Abs(filepath.Join(actionDir, "publish.sh"))
	require.NoError(t, err)
	for _, c := range []struct{ head, kind, name, want string }{
		{"", "branch", "main", "main"},
		{"$(id);`id`", "branch", "7/merge", "$(id);`id`"},
		{"", "branch", "gh-readonly-queue/main/pr-7-c0ffee", "gh-readonly-queue/main/pr-7-c0ffee"},
		{"", "tag", "v1.2.3", ""},
		{"", "", "", ""},
	} {
		dir := t.TempDir()
		waft := filepath.Join(dir, "waft")
		require.NoError(t, os.WriteFile(waft, []byte("#!/bin/sh\nprintf '%s\\n' \"$@\" >>"+dir+"/arguments\n"), 0o700))
		cmd := exec.CommandContext(t.Context(), "bash", script)
		cmd.Env = append(os.Environ(), "WAFT_CLI="+waft, "RUNNER_TEMP="+dir, "GITHUB_OUTPUT="+filepath.Join(dir, "output"),
			"INPUT_CHANNEL=staging", "INPUT_PLATFORM=all", "INPUT_EXPORT=dist", "INPUT_RUNTIME_VERSION=", "INPUT_POLICY=", "INPUT_MESSAGE=",
			"GITHUB_HEAD_REF="+c.head, "GITHUB_REF_TYPE="+c.kind, "GITHUB_REF_NAME="+c.name)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		arguments, err := os.ReadFile(filepath.Join(dir, "arguments"))
		require.NoError(t, err)
		_, branch, found := strings.Cut(string(arguments), "--git-branch\n")
		branch, _, _ = strings.Cut(branch, "\n")
		require.Equal(t, c.want, branch)
		require.Equal(t, c.want != "", found)
	}
}
