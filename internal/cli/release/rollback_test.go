package release_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"
)

// target returns a target of the channel production whose devices get a release with the given build.
func target(platform, runtime string, build any, more map[string]any) map[string]any {
	t := map[string]any{"channel": "production", "platform": platform, "runtimeVersion": runtime, "newestUpdateId": 31, "release": nil}
	if build != nil {
		t["release"] = clitest.Release(map[string]any{"id": 31, "platform": platform, "buildId": build})
	}
	for field, value := range more {
		t[field] = value
	}
	return t
}

// rollingBack returns an API with the targets, in which release 16 was published for both platforms. It records the body
// of the rollback or of its preview.
func rollingBack(t *testing.T, targets ...map[string]any) (a *clitest.API, sent *string) {
	t.Helper()
	a, sent = clitest.New(t), new(string)
	ios := clitest.Release(map[string]any{"id": 16, "buildId": 6, "releaseMessage": "good"})
	android := clitest.Release(map[string]any{"id": 17, "buildId": 7, "releaseMessage": "good", "platform": "android", "runtimeVersion": "1.1.0"})
	made := clitest.Release(map[string]any{"id": 40, "buildId": 6, "groupId": "5f0cd9c2-0c4f-4f5e-8d0f-9a6f0a1b2c3d", "rolloutPercentage": 100})
	a.On("GET /updates/16", func(string, http.Header) (int, any) { return 200, ios })
	a.On("GET /updates", func(string, http.Header) (int, any) {
		if *sent == "" {
			return 200, []any{android, ios}
		}
		other := clitest.Release(map[string]any{"id": 41, "buildId": 7, "platform": "android", "runtimeVersion": "1.1.0", "rolloutPercentage": 100})
		return 200, []any{other, made}
	})
	a.On("GET /overview", func(string, http.Header) (int, any) { return 200, targets })
	a.On("POST /rollback", func(body string, _ http.Header) (int, any) {
		*sent = body
		return 201, made
	})
	a.On("POST /rollback/preview", func(body string, _ http.Header) (int, any) {
		*sent = body
		return 200, map[string]any{"devicesAffected": 3}
	})
	return a, sent
}

const previewed = "nothing has changed; the call would affect 3 devices that were active in the last 24 hours\n"

func TestARollbackIncludesBothPlatforms(t *testing.T) {
	t.Parallel()
	bad := []map[string]any{target("android", "1.1.0", 27, nil), target("ios", "1.0.0", 26, nil)}
	const both = `{"channel":"production","platform":"ios","runtimeVersion":"1.0.0","rollbackToUpdateId":16,
		"others":[{"platform":"android","runtimeVersion":"1.1.0","rollbackToUpdateId":17}]}`

	a, sent := rollingBack(t, bad...)
	out, err := a.Run(t, cli.NewCommand(), "rollback", "--channel", "production", "--to", "16", "--preview")
	require.NoError(t, err)
	require.JSONEq(t, both, *sent)
	require.Equal(t, previewed, out)

	a, sent = rollingBack(t, bad...)
	out, err = a.Run(t, cli.NewCommand(), "rollback", "--channel", "production", "--to", "16")
	require.NoError(t, err)
	require.JSONEq(t, both, *sent)
	require.Regexp(t, "^rolled back ios 1.0.0 and android 1.1.0 on production\nrelease 40 for ios 1.0.0 .*\n.*\n.*\nrelease 41 for android 1.1.0 ", out)
	require.Contains(t, out, a.Page("releases/40"))

	a, sent = rollingBack(t, bad...)
	out, err = a.Run(t, cli.NewCommand(), "rollback", "--channel", "production", "--to", "16", "--json")
	require.NoError(t, err)
	require.JSONEq(t, both, *sent)
	require.Contains(t, out, `"id": 40`)
	require.NotContains(t, out, "rolled back")
}

func TestARollbackOfOnePlatformLeavesTheOtherAlone(t *testing.T) {
	t.Parallel()
	const ios = `{"channel":"production","platform":"ios","runtimeVersion":"1.0.0","rollbackToUpdateId":16}`
	run := func(targets []map[string]any, args ...string) (a *clitest.API, sent, out string) {
		a, body := rollingBack(t, targets...)
		out, err := a.Run(t, cli.NewCommand(), append([]string{"rollback", "--channel", "production", "--preview"}, args...)...)
		require.NoError(t, err)
		return a, *body, out
	}

	a, sent, out := run(nil, "--to", "16", "--platform", "ios", "--runtime-version", "1.0.0")
	require.JSONEq(t, ios, sent)
	require.Equal(t, previewed, out)
	require.Equal(t, []string{"POST /rollback/preview"}, a.Calls(), "a script that names everything makes one call")

	_, sent, _ = run(nil, "--to", "16", "--platform", "ios")
	require.JSONEq(t, ios, sent)

	_, sent, out = run([]map[string]any{target("android", "1.1.0", 7, nil)}, "--to", "16")
	require.JSONEq(t, ios, sent)
	require.Equal(t, previewed+"android keeps what it has, because every device gets the files of release 17 already\n", out)

	_, sent, _ = run([]map[string]any{target("android", "1.1.0", 7, map[string]any{"newestUpdateId": 33})}, "--to", "16")
	require.Contains(t, sent, "others", "some devices get a newer release")
}

func TestARollbackToTheEmbeddedUpdateIncludesEachPlatformWithARelease(t *testing.T) {
	t.Parallel()
	a, sent := rollingBack(t, target("android", "1.0.0", 27, nil), target("ios", "1.0.0", 26, nil), target("ios", "2.0.0", 26, nil),
		target("web", "1.0.0", nil, nil))
	_, err := a.Run(t, cli.NewCommand(), "rollback", "--channel", "production", "--embedded", "--runtime-version", "1.0.0", "--preview")
	require.NoError(t, err)
	require.JSONEq(t, `{"channel":"production","platform":"android","runtimeVersion":"1.0.0","others":[{"platform":"ios","runtimeVersion":"1.0.0"}]}`, *sent)

	a, sent = rollingBack(t, target("android", "1.0.0", nil, map[string]any{"newestUpdateId": nil}))
	_, err = a.Run(t, cli.NewCommand(), "rollback", "--channel", "production", "--embedded", "--runtime-version", "1.0.0")
	require.ErrorContains(t, err, `channel "production" does not have a release for runtime version "1.0.0"`)
	require.Empty(t, *sent)
}

// A script whose variable is empty must not roll back more than it intends.
func TestARollbackRefusesEmptyValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		bad  string
	}{
		{[]string{"--to", "16", "--platform", ""}, "--platform is empty: give a value, or leave it out"},
		{[]string{"--to", "16", "--runtime-version", ""}, "--runtime-version is empty: give a value, or leave it out"},
		{[]string{"--to", "0"}, "--to must be the ID of a release; `waft releases list` lists them"},
		{[]string{"--embedded"}, "--runtime-version is missing: runtime version of the devices to roll back; default with --to: the runtime version of that release"},
	} {
		a, sent := rollingBack(t)
		_, err := a.Run(t, cli.NewCommand(), append([]string{"rollback", "--channel", "production"}, c.args...)...)
		require.EqualError(t, err, c.bad)
		require.Empty(t, *sent)
	}
}
