package simulate_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/fleet/fleettest"
)

func simulateWith(t *testing.T, url string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	cmd := cli.NewCommand()
	cmd.SetOut(&out)
	cmd.SetArgs(append([]string{"--url", url, "--project", "demo", "simulate"}, args...))
	err := cmd.ExecuteContext(t.Context())
	return out.String(), err
}

func TestSimulateRunsAFleetAndSumsUp(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	s.Publish(fleettest.Release{Message: "broken"})
	out, err := simulateWith(t, s.URL, "--devices", "40", "--launches", "120", "--rate", "0", "--crash", "broken=100%", "--js-error", "embedded=100")
	require.NoError(t, err)
	for _, part := range []string{
		"40 of 40 started the app", "120 in ", "40 updates accepted, 80 up to date", "120 reports, 80 crashes, 40 errors",
		"3 downloaded and verified", "37 checked with HEAD", `"broken" (`, "on 40",
	} {
		require.Contains(t, out, part)
	}
	require.NotContains(t, out, "failed  ")

	out, err = simulateWith(t, s.URL, "--json", "--devices", "4", "--launches", "8", "--rate", "0", "--crash", "broken=100%")
	require.NoError(t, err)
	var record map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &record), out)
	require.EqualValues(t, 8, record["launches"])
	require.EqualValues(t, 4, record["running"].([]any)[0].(map[string]any)["devices"])
}

func TestSimulateRefusesWhatItDoesNotUnderstand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		bad  string
	}{
		"a rule":           {[]string{"--crash", "broken"}, "--crash"},
		"an asset policy":  {[]string{"--assets", "some"}, "head, skip or full"},
		"a fleet of none":  {[]string{"--devices", "0"}, "at least one device"},
		"a negative rate":  {[]string{"--rate", "-1"}, "no negative numbers"},
		"too many for iOS": {[]string{"--ios", "101"}, "0 to 100"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := simulateWith(t, "http://127.0.0.1:1", c.args...)
			require.ErrorContains(t, err, c.bad)
		})
	}
}

// A fleet that never got a response has tested nothing, so the command returns an error.
func TestAFleetThatGetsNoAnswerIsAnError(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	a.On("GET /manifest/demo", func(string, http.Header) (int, any) {
		return 404, map[string]any{"detail": "channel \"beta\" does not exist in this project"}
	})
	out, err := simulateWith(t, a.URL, "--devices", "2", "--launches", "2", "--rate", "0", "--channel", "beta")
	require.EqualError(t, err, "no manifest request succeeded; the failures are listed above")
	require.Contains(t, out, `2 × manifest: status 404: channel "beta" does not exist in this project`)
}
