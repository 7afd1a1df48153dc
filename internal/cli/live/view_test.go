package live

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/clitest"
)

var update = flag.Bool("update", false, "write the golden files")

var now = time.Date(2026, 3, 14, 9, 40, 0, 0, time.UTC)

func ago(d time.Duration) string { return now.Add(-d).Format(time.RFC3339) }

// record returns a running rollout with more fields.
func record(t *testing.T, more map[string]any) client.RolloutExecution {
	t.Helper()
	fields := clitest.Execution("running")
	maps.Copy(fields, map[string]any{
		"channel": "production", "runtimeVersion": "1.0.0", "stageIndex": 1, "percentage": 25, "reason": "",
		"stages": []any{
			map[string]any{"percentage": 5, "minDevices": 100, "minDurationMinutes": 30},
			map[string]any{"percentage": 25, "minDevices": 500, "minDurationMinutes": 60},
			map[string]any{"percentage": 100},
		},
		"thresholds": map[string]any{"crashRate": 1, "errorRate": 5,
			"events": []any{map[string]any{"name": "checkout", "rate": 80, "direction": "below"}}},
		"startedAt": ago(50 * time.Minute), "stageStartedAt": ago(20 * time.Minute),
		"wait": map[string]any{"kind": "stage", "until": ago(-40 * time.Minute)},
		"health": map[string]any{
			"devices": 1231, "crashedDevices": 8, "crashRate": 0.65, "erroredDevices": 55, "errorRate": 4.47, "evidence": 2.4, "ignoredDevices": 3,
			"events": []any{map[string]any{"name": "checkout", "direction": "below", "devices": 400, "reportedDevices": 360}},
		},
		"timeline": []any{
			map[string]any{"at": ago(50 * time.Minute), "event": "started", "actor": "ci", "percentage": 5,
				"reason": "stage 1 of 3 (5%) runs for at least 30m"},
			map[string]any{
				"at": ago(20 * time.Minute), "event": "stage_advanced", "actor": "system", "percentage": 25,
				"reason": "stage 1 of 3 (5%) is done: it ran for 30m and 240 devices reported the release; " +
					"crash rate 0.41% is within the threshold of 1% (1 of 240 devices)",
			},
		},
	})
	maps.Copy(fields, more)
	text, err := json.Marshal(fields)
	require.NoError(t, err)
	var e client.RolloutExecution
	require.NoError(t, json.Unmarshal(text, &e))
	return e
}

func TestThePanelLooksLikeItsGoldenFiles(t *testing.T) {
	t.Parallel()
	states := map[string]State{
		"running":    {Rollout: record(t, nil), ReceivedAt: now},
		"connecting": {Rollout: record(t, nil), ReceivedAt: now.Add(-90 * time.Second), LostAt: now.Add(-75 * time.Second)},
		"no-reports": {Rollout: record(t, map[string]any{"health": nil, "timeline": nil, "stageIndex": 0, "percentage": 5,
			"waitingFor": "devices"})},
		"paused": {Rollout: record(t, map[string]any{"status": "paused", "waitingFor": "resume", "pausedAt": ago(time.Hour),
			"wait": nil})},
		"rolled-back": {Rollout: rolledBack(t), Link: "https://ota.example.com/app/demo/rollouts/21", Left: true},
	}
	for name, s := range states {
		for _, width := range []int{30, 80, 200} {
			lines := View(s, now, width, 24)
			golden(t, fmt.Sprintf("%s-%d.txt", name, width), ansi.Strip(strings.Join(lines, "\n"))+"\n")
		}
	}
	golden(t, "running-80.ansi", strings.Join(View(states["running"], now, 80, 24), "\n")+"\n")
	golden(t, "running-80-no-color.ansi", withoutColor(t, strings.Join(View(states["running"], now, 80, 24), "\n")+"\n"))
}

func rolledBack(t *testing.T) client.RolloutExecution {
	t.Helper()
	return record(t, map[string]any{
		"status": "rolled_back", "endedAt": ago(time.Minute), "waitingFor": nil, "wait": nil, "percentage": 0,
		"reason": "crash rate 4.2% breaches the threshold of 1%",
		"health": map[string]any{"devices": 500, "crashedDevices": 21, "crashRate": 4.2, "erroredDevices": 30, "errorRate": 6,
			"evidence": 2300},
	})
}

// withoutColor returns what a terminal gets with NO_COLOR.
func withoutColor(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := colorprofile.Writer{Forward: &out, Profile: colorprofile.Detect(&out, []string{"TERM=xterm-256color", "NO_COLOR=1", "TTY_FORCE=1"})}
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	return out.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got, name)
}

// Each panel fits its screen, whatever the size.
func TestThePanelFitsEveryScreen(t *testing.T) {
	t.Parallel()
	for _, e := range []client.RolloutExecution{record(t, nil), rolledBack(t),
		record(t, map[string]any{"stages": []any{}, "health": nil, "timeline": nil})} {
		for _, width := range []int{1, 10, 30, 59, 60, 80, 200} {
			for height := 1; height < 40; height++ {
				lines := View(State{Rollout: e, LostAt: now.Add(-time.Minute)}, now, width, height)
				require.LessOrEqual(t, len(lines), height)
				for _, line := range lines {
					require.LessOrEqual(t, lipgloss.Width(line), width, line)
				}
				require.Contains(t, ansi.Strip(lines[0]), "Rollout 21"[:min(width-1, 10)], "the heading is the last line to go")
			}
		}
	}
}

// Texts from devices and people must not act on the terminal.
func TestThePanelShowsTextsOfTheServerOnly(t *testing.T) {
	t.Parallel()
	nasty := clitest.Nasty
	e := record(t, map[string]any{
		"releaseMessage": nasty, "policyName": nasty, "channel": nasty, "runtimeVersion": nasty, "reason": nasty, "platform": nasty,
		"status":     nasty,
		"thresholds": map[string]any{"events": []any{map[string]any{"name": nasty, "rate": 1, "direction": "above"}}},
		"timeline":   []any{map[string]any{"at": ago(time.Minute), "event": nasty, "actor": nasty, "reason": nasty + "!"}},
	})
	for _, left := range []bool{false, true} {
		for _, line := range View(State{Rollout: e, Link: "https://" + nasty, Left: left}, now, 200, 60) {
			for _, r := range ansi.Strip(line) {
				require.GreaterOrEqual(t, r, ' ')
				require.False(t, r >= 0x7f && r < 0xa0 || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069, "%q", line)
			}
			require.NotContains(t, line, "\x1b]")
			require.NotContains(t, line, "\x1b[8m")
			require.NotContains(t, line, "\x1b[2J")
		}
	}
}
