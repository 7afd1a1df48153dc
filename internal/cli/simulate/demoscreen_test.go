package simulate

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/internal/lab/demo"
	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/models"
)

func testScene(elapsed time.Duration) demo.Scene {
	limit := 1.0
	return demo.Scene{
		Elapsed: elapsed, PerSecond: 997.6,
		Rollouts: []demo.RolloutView{
			{Label: demo.Next, Execution: models.RolloutExecution{
				Platform: models.IOS, Status: models.ExecutionCompleted, StageIndex: 2, Stages: make([]models.Stage, 3), Percentage: 100,
			}},
			{Label: demo.Broken, Execution: models.RolloutExecution{
				Platform: models.IOS, Status: models.ExecutionRunning, Stages: make([]models.Stage, 3), Percentage: 5,
				WaitingFor: models.WaitThreshold, Thresholds: models.Thresholds{CrashRate: &limit},
				Health: &models.Observation{
					ReleaseHealth: models.ReleaseHealth{Devices: 40, CrashedDevices: 8}, CrashRate: 20, Evidence: 123456,
				},
			}},
		},
		Held:  []demo.HeldView{{Label: demo.Next, Devices: 2850}, {Label: demo.Broken, Devices: 150}},
		Fleet: fleet.Stats{Launches: 12000, Crashes: 8, Manifest: fleet.Latency{P50: 1200 * time.Microsecond, P99: 9 * time.Millisecond}},
	}
}

func TestThePanelShowsStageShareDevicesRateAndEvidence(t *testing.T) {
	t.Parallel()
	s := demoScreen{term: terminal.New(&bytes.Buffer{}), act: "act 3 of 3: a broken release is taken back"}
	var lines []string
	for _, line := range s.panel(testScene(83 * time.Second)) {
		lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
	}
	text := strings.Join(lines, "\n")
	require.Contains(t, text, "Waft demo · act 3 of 3: a broken release is taken back 01:23")
	require.Contains(t, text, "release  platform  status     stage   percentage  devices  crash rate  evidence   waiting for\n"+
		"next     ios       completed  3 of 3  100%\n"+
		"broken   ios       running    1 of 3  5%          40       20.00% (8)  over 1000  threshold")
	require.Contains(t, text, "devices run next 2850, broken 150\n"+
		"12000 launches, 998/s, manifests p50 1.2 ms p99 9.0 ms, 8 crashes reported, 0 failed requests")
}

func TestWithoutATerminalTheStateIsWrittenNowAndThen(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := demoScreen{term: terminal.New(&out)}
	for _, elapsed := range []time.Duration{0, time.Second, 2 * time.Second, 2500 * time.Millisecond, 4 * time.Second} {
		s.Show(testScene(elapsed))
	}
	text := out.String()
	require.Equal(t, 2, strings.Count(text, "broken ios: running, stage 1 of 3, rollout percentage 5%, 40 devices, crash rate 20.00% (8), waiting for threshold"))
	require.NotContains(t, text, "next ios", "the rollout has ended")
	require.NotContains(t, text, "\x1b")
}

func TestTheSummaryNamesWhatDidNotHappen(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	printResult(terminal.New(&out), demo.Result{
		Checks:   []demo.Check{{Claim: "it rolled out", OK: true, Seen: "yes"}, {Claim: "it was taken back", Seen: "running"}},
		Reaction: 3200 * time.Millisecond,
	})
	require.Contains(t, out.String(), "✗ it was taken back: running")
	require.NotContains(t, out.String(), "it rolled out")
	require.Contains(t, out.String(), "✗ 1 of 2 expectations were met.")
	require.Contains(t, out.String(), "3.2 s")
}

func TestAFastDemoKeepsWhatFlagsSet(t *testing.T) {
	t.Parallel()
	o := demo.Defaults()
	hurry(&o, func(string) bool { return false })
	require.Equal(t, demo.Fast(), o)

	o = demo.Defaults()
	o.Devices, o.PerSecond = 5000, 77
	hurry(&o, func(flag string) bool { return flag == "devices" || flag == "rate" })
	want := demo.Fast()
	want.Devices, want.PerSecond = 5000, 77
	require.Equal(t, want, o)
}
