package release_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
	"github.com/waft-ota/waft/models"
)

// publishing makes the API accept uploads and publishes, and records the bodies of the publishes.
func publishing(a *clitest.API, bodies *[]string) {
	builds := 0
	a.On("GET /channels", func(string, http.Header) (int, any) {
		return 200, []map[string]any{{"id": 1, "name": "production"}, {"id": 2, "name": "c"}}
	})
	a.On("POST /builds/check", func(string, http.Header) (int, any) {
		return 200, map[string]any{"missing": []string{}}
	})
	a.On("POST /builds", func(body string, _ http.Header) (int, any) {
		builds++
		platform := "android"
		if strings.Contains(body, "\r\n\r\nios\r\n") {
			platform = "ios"
		}
		return 201, map[string]any{"id": builds, "platform": platform}
	})
	for id := range 2 {
		a.On(fmt.Sprintf("POST /builds/%d/publish", id+1), func(body string, _ http.Header) (int, any) {
			*bodies = append(*bodies, body)
			return 201, map[string]any{
				"id": 10 + id, "updateUuid": "5f0cd9c2-0c4f-4f5e-8d0f-9a6f0a1b2c3d", "groupId": clitest.Group, "buildId": id + 1,
				"platform": []string{"android", "ios"}[id], "assetCount": 8, "sizeBytes": 1_500_000, "rolloutPercentage": 0,
				"rolloutExecutionId": 20 + id,
			}
		})
	}
}

func export(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	_, err := bundle.Write(dir, bundle.Spec{Label: "stable", BundleBytes: 100, AssetBytes: 10})
	require.NoError(t, err)
	return dir
}

// withoutGroup returns the body of a publish without its group, which it must have.
func withoutGroup(t *testing.T, body string) string {
	t.Helper()
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &fields))
	require.NotEmpty(t, fields["groupId"])
	delete(fields, "groupId")
	rest, err := json.Marshal(fields)
	require.NoError(t, err)
	return string(rest)
}

func TestPublishUploadsBothPlatformsAndGroupsThem(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	var bodies []string
	publishing(a, &bodies)
	a.On("GET /rollout-policies", func(string, http.Header) (int, any) {
		return 200, []map[string]any{{"id": 8, "name": "careful"}}
	})
	out, err := a.Run(t, cli.NewCommand(), "publish", export(t), "--channel", "production", "--policy", "careful", "--message", "Two", "--critical")
	require.NoError(t, err)
	require.Equal(t, []string{
		"GET /channels", "GET /rollout-policies", "POST /builds/check", "POST /builds", "POST /builds",
		"POST /builds/1/publish", "POST /builds/2/publish",
	}, a.Calls())
	var first struct{ GroupID string }
	require.NoError(t, json.Unmarshal([]byte(bodies[0]), &first))
	for _, body := range bodies { // one group, even if both calls wait for approval
		require.JSONEq(t, `{"channel":"production","isCritical":true,"releaseMessage":"Two","rolloutPolicyId":8,"groupId":"`+first.GroupID+`"}`, body)
	}
	require.Contains(t, out, "published to production, group "+clitest.Group)
	require.Contains(t, out, "release 11  update 5f0cd9c2-0c4f-4f5e-8d0f-9a6f0a1b2c3d  build 2  8 files, 1.5 MB  rollout 21")
}

func TestPublishToAProtectedChannelWaitsForBothPlatforms(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	var bodies []string
	publishing(a, &bodies)
	for id := range 2 {
		a.On(fmt.Sprintf("POST /builds/%d/publish", id+1), func(string, http.Header) (int, any) {
			return 202, map[string]any{"approval": clitest.Approval(map[string]any{"id": 61 + id})}
		})
	}
	out, err := a.Run(t, cli.NewCommand(), "publish", export(t), "--channel", "production")
	require.Empty(t, out)
	require.Equal(t, 4, cli.ExitCode(err))
	require.Contains(t, cli.Message(err), "`waft approvals approve 61`")
	require.Contains(t, cli.Message(err), "`waft approvals approve 62`")
}

func TestReleaseNotesAndCommitAreThoseOfTheRepository(t *testing.T) {
	t.Parallel()
	repository := t.TempDir()
	git := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = repository
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=Ada Lovelace", "GIT_AUTHOR_EMAIL=a@example.com",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	git("init", "-q", "--initial-branch", "trunk")
	git("commit", "-q", "--allow-empty", "-m", "Fix the basket")
	first := git("rev-parse", "HEAD")
	git("commit", "-q", "--allow-empty", "-m", "Add a map\n\nIt shows where the shops are.")
	inside := filepath.Join(repository, "dist")
	_, err := bundle.Write(inside, bundle.Spec{Label: "stable", BundleBytes: 100, AssetBytes: 10})
	require.NoError(t, err)
	second, elsewhere := git("rev-parse", "HEAD"), strings.Repeat("a", 40)
	checkout := filepath.Join(t.TempDir(), "checkout")
	git("worktree", "add", "-q", "--detach", checkout, first)
	detached := filepath.Join(checkout, "dist")
	_, err = bundle.Write(detached, bundle.Spec{Label: "stable", BundleBytes: 100, AssetBytes: 10})
	require.NoError(t, err)

	for name, c := range map[string]struct {
		dir   string
		args  []string
		notes string // as JSON; "" for no release notes
		// author is "" if the upload does not name one.
		author string
		// commit and branch are "" if the upload does not have them.
		commit, branch string
		said           string
	}{
		"the current commit": {
			inside, nil, `"Add a map"`, "Ada Lovelace", second, "trunk", "from git: commit " + second[:12] + ", branch trunk, author Ada Lovelace",
		},
		"the named commit":    {inside, []string{"--git-commit", first}, `"Fix the basket"`, "Ada Lovelace", first, "", "from git: author Ada Lovelace"},
		"HEAD, by its name":   {inside, []string{"--git-commit", second}, `"Add a map"`, "Ada Lovelace", second, "trunk", "from git: branch trunk, author"},
		"a commit elsewhere":  {inside, []string{"--git-commit", elsewhere}, "", "", elsewhere, "", ""},
		"no option of git":    {inside, []string{"--git-commit", "--all"}, "", "", "--all", "", ""},
		"no commit":           {inside, []string{"--git-commit", "", "--git-author", ""}, `"Add a map"`, "", "", "", ""},
		"a given branch":      {inside, []string{"--git-branch", "next"}, `"Add a map"`, "Ada Lovelace", second, "next", "from git: commit"},
		"notes that are said": {inside, []string{"--message", "Maps"}, `"Maps"`, "Ada Lovelace", second, "trunk", "from git: commit"},
		"a given author":      {inside, []string{"--git-author", "Grace Hopper"}, `"Add a map"`, "Grace Hopper", second, "trunk", "branch trunk\n"},
		"no branch, as in CI": {detached, nil, `"Fix the basket"`, "Ada Lovelace", first, "", "from git: commit " + first[:12] + ", author Ada Lovelace"},
		"no repository":       {export(t), nil, "", "", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := clitest.New(t)
			var bodies []string
			publishing(a, &bodies)
			var upload string
			a.On("POST /builds", func(body string, _ http.Header) (int, any) {
				upload = body
				return 201, map[string]any{"id": 1, "platform": "ios"}
			})
			out, err := a.Run(t, cli.NewCommand(), append([]string{"publish", c.dir, "--channel", "production", "--platform", "ios"}, c.args...)...)
			require.NoError(t, err)
			if c.said == "" {
				require.NotContains(t, out, "from git")
			}
			require.Contains(t, out, c.said)
			want := `{"channel":"production"}`
			if c.notes != "" {
				want = `{"channel":"production","releaseMessage":` + c.notes + `}`
			}
			require.JSONEq(t, want, withoutGroup(t, bodies[0]))
			for field, value := range map[string]string{"gitAuthor": c.author, "gitCommitHash": c.commit, "gitBranch": c.branch} {
				if value == "" {
					require.NotContains(t, upload, field)
				} else {
					require.Contains(t, upload, "name=\""+field+"\"\r\n\r\n"+value+"\r\n")
				}
			}
		})
	}
}

func TestPublishOfOnePlatformAtAShare(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	var bodies []string
	publishing(a, &bodies)
	_, err := a.Run(t, cli.NewCommand(), "publish", export(t), "--channel", "production", "--platform", "android", "--percentage", "0", "--message", "x")
	require.NoError(t, err)
	require.Len(t, bodies, 1)
	require.JSONEq(t, `{"channel":"production","releaseMessage":"x","rolloutPercentage":0}`, withoutGroup(t, bodies[0]))
}

func TestPublishSaysWhatIsWrongBeforeItUploads(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		bad  string
	}{
		"no channel":            {nil, "--channel is missing"},
		"a channel nobody made": {[]string{"--channel", "d"}, `channel "d" does not exist in this project`},
		"a variable not set":    {[]string{"--channel", "c", "--policy", ""}, "--policy is empty"},
		"a share beyond all":    {[]string{"--channel", "c", "--percentage", "101"}, "--percentage must be from 0 to 100"},
		"a share in words":      {[]string{"--channel", "c", "--percentage", "half"}, `invalid argument "half" for "--percentage" flag`},
		"a flag nobody made":    {[]string{"--channel", "c", "--link-flag", "x=on"}, `flag "x" does not exist`},
		"a flag without value":  {[]string{"--channel", "c", "--link-flag", "x"}, "must have the form"},
		"a platform of its own": {[]string{"--channel", "c", "--platform", "windows"}, "ios, android or all"},
		"a policy nobody made":  {[]string{"--channel", "c", "--policy", "careful"}, `rollout policy "careful" does not exist`},
		"a policy and a share":  {[]string{"--channel", "c", "--policy", "careful", "--percentage", "5"}, "none of the others can be"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := clitest.New(t)
			publishing(a, new([]string))
			a.On("GET /rollout-policies", func(string, http.Header) (int, any) { return 200, []any{} })
			a.On("GET /flags", func(string, http.Header) (int, any) { return 200, []any{} })
			_, err := a.Run(t, cli.NewCommand(), append([]string{"publish", export(t)}, c.args...)...)
			require.ErrorContains(t, err, c.bad)
			require.NotContains(t, a.Calls(), "POST /builds")
		})
	}
	t.Run("no runtime version", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		for config, want := range map[string]string{
			"": "no expoConfig.json; publish with --export", `{"name": "x"}`: "no runtimeVersion; run `waft init`",
			`{"runtimeVersion": {"policy": "fingerprint"}}`: "depends on the native projects",
		} {
			if config != "" {
				require.NoError(t, os.WriteFile(filepath.Join(dir, "expoConfig.json"), []byte(config), 0o600))
			} else {
				require.NoError(t, os.RemoveAll(filepath.Join(dir, "expoConfig.json")))
			}
			_, err := clitest.New(t).Run(t, cli.NewCommand(), "publish", dir, "--channel", "c")
			require.ErrorContains(t, err, "the runtime version is missing: ")
			require.ErrorContains(t, err, want)
			require.ErrorContains(t, err, "or use --runtime-version")
		}
	})
}

func TestPublishLinksFlags(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	var bodies []string
	publishing(a, &bodies)
	a.On("GET /flags", func(string, http.Header) (int, any) {
		return 200, []map[string]any{{"id": 5, "key": "checkout", "flagType": "boolean"}, {"id": 6, "key": "greeting", "flagType": "string"}}
	})
	_, err := a.Run(t, cli.NewCommand(), "publish", export(t), "--channel", "production", "--platform", "ios", "--message", "x",
		"--link-flag", "checkout=on", "--link-flag", "greeting=hello=you", "--link-flag", "5=off")
	require.NoError(t, err)
	require.JSONEq(t, `{"channel":"production","releaseMessage":"x","linkedFlags":[
		{"flagId":5,"enabled":true},{"flagId":6,"enabled":true,"value":"hello=you"},{"flagId":5,"enabled":false}]}`, withoutGroup(t, bodies[0]))
	_, err = a.Run(t, cli.NewCommand(), "publish", export(t), "--channel", "production", "--link-flag", "checkout=maybe")
	require.EqualError(t, err, `--link-flag: the flag "checkout" is boolean: use checkout=on or checkout=off`)
}

func TestPublishShowsWhatGotPublishedBeforeItFailed(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	var bodies []string
	publishing(a, &bodies)
	a.On("POST /builds/2/publish", func(string, http.Header) (int, any) {
		return 409, map[string]any{"code": "already_exists", "detail": "the group has an ios release", "requestId": "r"}
	})
	out, err := a.Run(t, cli.NewCommand(), "publish", export(t), "--channel", "production")
	require.ErrorContains(t, err, "publishing build 2 (ios): the group has an ios release (409 already_exists")
	require.Contains(t, out, "release 10")
}

func TestPublishWarnsOfAnExportWithoutSourceMaps(t *testing.T) {
	t.Parallel()
	dir := export(t)
	run := func() string {
		a := clitest.New(t)
		publishing(a, new([]string))
		out, err := a.Run(t, cli.NewCommand(), "publish", dir, "--channel", "production", "--runtime-version", "1.0.0", "--platform", "ios")
		require.NoError(t, err)
		return out
	}
	require.Contains(t, run(), "ios: the export has no source map")
	e, err := client.OpenExport(dir, models.IOS)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, e.Bundle+".map"), []byte(`{"version":3,"sources":[],"mappings":""}`), 0o600))
	require.NotContains(t, run(), "source map")
}
