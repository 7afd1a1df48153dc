package release

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/clitest"
)

var update = flag.Bool("update", false, "write the golden files")

var now = time.Date(2026, 3, 15, 9, 40, 0, 0, time.UTC)

// overview returns a target of the overview with more fields.
func overview(t *testing.T, more map[string]any) client.StreamOverview {
	t.Helper()
	fields := map[string]any{
		"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "newestUpdateId": 29,
		"release": clitest.Release(map[string]any{"rolloutPercentage": 100}),
		"devices": 1231, "crashFreePercentage": 99.35, "incidents": 0,
	}
	maps.Copy(fields, more)
	text, err := json.Marshal(fields)
	require.NoError(t, err)
	var o client.StreamOverview
	require.NoError(t, json.Unmarshal(text, &o))
	return o
}

func targetsForPanel(t *testing.T) []client.StreamOverview {
	t.Helper()
	rollout := clitest.Execution("running")
	maps.Copy(rollout, map[string]any{"updateId": 31, "platform": "android", "startedAt": "2026-03-15T09:00:00Z"})
	return []client.StreamOverview{
		overview(t, nil),
		overview(t, map[string]any{"platform": "android", "rollout": rollout, "newestUpdateId": 31, "incidents": 1,
			"crashFreePercentage": 95.8}),
		overview(t, map[string]any{"channel": "staging-of-the-long-name", "isPaused": true, "devices": nil, "crashFreePercentage": nil}),
	}
}

func review(t *testing.T) undoState {
	t.Helper()
	targets := targetsForPanel(t)
	var preview client.ChangePreview
	require.NoError(t, json.Unmarshal([]byte(`{"devicesAffected": 61, "releases": [`+
		`{"updateId": 31, "platform": "android", "runtimeVersion": "1.0.0",
		"branchName": "production", "kind": "update", "releaseMessage": "Faster start", "before": {"isEnabled": true, "rolloutPercentage": 5},
		"after": {"isEnabled": false, "rolloutPercentage": 5}}], "executions": [{"id": 21, "updateId": 31, "policyName": "careful",
		"before": {"status": "running", "stageIndex": 0, "percentage": 5}, "after": {"status": "rolled_back", "stageIndex": 0, "percentage": 0}}],
		"warnings": ["the channel returns to a release that is older than the embedded update of some devices, `+
		`which keep their embedded update"]}`), &preview))
	release := client.Update{ID: 31, ReleaseMessage: "Faster start", RolloutExecutionID: new(int64(21))}
	return undoState{screen: reviews, targets: targets, cursor: 1, both: true,
		undo: &undo{target: targets[1], release: release, both: true}, preview: &preview}
}

func TestThePanelOfARollbackLooksLikeItsGoldenFiles(t *testing.T) {
	t.Parallel()
	changed, refused := review(t), undoState{targets: targetsForPanel(t), problem: "devices get the embedded update already"}
	changed.isChanged, changed.both = true, false
	stale := undoState{targets: targetsForPanel(t), stale: "dial tcp: connection refused"}
	for name, s := range map[string]undoState{
		"choose": {targets: targetsForPanel(t), cursor: 1}, "review": review(t), "changed": changed, "refused": refused,
		"stale": stale, "waits": {screen: waits, waitsFor: "Rolling back …"},
	} {
		for _, width := range []int{30, 80, 200} {
			path := filepath.Join("testdata", fmt.Sprintf("rollback-%s-%d.txt", name, width))
			got := ansi.Strip(strings.Join(undoView(s, now, width, 24), "\n")) + "\n"
			if *update {
				require.NoError(t, os.MkdirAll("testdata", 0o755))
				require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(want), got, path)
		}
	}
}

func TestThePanelOfARollbackFitsEveryScreen(t *testing.T) {
	t.Parallel()
	for _, s := range []undoState{{targets: targetsForPanel(t), cursor: 2}, review(t)} {
		for _, width := range []int{1, 20, 80, 200} {
			for height := 1; height < 30; height++ {
				lines := undoView(s, now, width, height)
				require.LessOrEqual(t, len(lines), height)
				for _, line := range lines {
					require.LessOrEqual(t, lipgloss.Width(line), width)
				}
			}
		}
	}
}

func TestThePanelOfARollbackShowsTextsOnly(t *testing.T) {
	t.Parallel()
	nasty := clitest.Nasty
	target := overview(t, map[string]any{"channel": nasty, "runtimeVersion": nasty,
		"release": clitest.Release(map[string]any{"releaseMessage": nasty})})
	s := review(t)
	s.undo.target, s.undo.release.ReleaseMessage, s.preview.Warnings = target, nasty, []string{nasty}
	for _, s := range []undoState{{targets: []client.StreamOverview{target}, problem: nasty}, s} {
		text := strings.Join(undoView(s, now, 300, 60), "")
		require.NotContains(t, text, "\x1b]")
		require.NotContains(t, text, "\x1b[8m")
		require.NotContains(t, text, "\x1b[2J")
		require.NotRegexp(t, "[\x00-\x1a\x1c-\x1f\x7f-\u009f\u2028-\u202e\u2066-\u2069]", text)
	}
}

// keys presses keys and runs the commands of the panel until it waits for a key.
func keys(p undoPanel, pressed ...string) (undoPanel, bool) {
	model, quit := tea.Model(p), false
	var carry func(tea.Cmd)
	carry = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		msg := cmd()
		if _, quit = msg.(tea.QuitMsg); quit {
			return
		}
		var next tea.Cmd
		model, next = model.Update(msg)
		carry(next)
	}
	for _, key := range pressed {
		var cmd tea.Cmd
		msg := tea.KeyPressMsg{Text: key}
		if code, is := map[string]rune{"enter": tea.KeyEnter, "up": tea.KeyUp, "down": tea.KeyDown, "esc": tea.KeyEscape}[key]; is {
			msg = tea.KeyPressMsg{Code: code}
		}
		model, cmd = model.Update(msg)
		carry(cmd)
	}
	end, _ := model.(undoPanel)
	return end, quit
}

// scripted returns a panel whose plans have the given previews in order, and the targets that it rolled back.
func scripted(t *testing.T, previews ...client.ChangePreview) (undoPanel, *[]string) {
	t.Helper()
	var rolledBack []string
	return undoPanel{
		state: undoState{targets: targetsForPanel(t), cursor: 1, both: true},
		actions: undoActions{
			plan: func(target client.StreamOverview, both bool) (*undo, *client.ChangePreview, error) {
				if target.Channel != "production" {
					return nil, nil, errors.New("devices get the embedded update already")
				}
				p := previews[0]
				previews = previews[min(1, len(previews)-1):]
				return &undo{target: target, both: both}, &p, nil
			},
			do: func(u *undo) (*done, error) {
				rolledBack = append(rolledBack, fmt.Sprintf("%s both %v", targetText(u.target), u.both))
				return &done{lines: []string{"rolled back"}}, nil
			},
		},
	}, &rolledBack
}

func TestARollbackTakesThreeKeys(t *testing.T) {
	t.Parallel()
	p, rolledBack := scripted(t, client.ChangePreview{})
	end, quit := keys(p, "1", "enter", "y")
	require.True(t, quit)
	require.Equal(t, []string{"production for ios 1.0.0 both true"}, *rolledBack)
	require.Equal(t, []string{"rolled back"}, end.done.lines)

	p, rolledBack = scripted(t, client.ChangePreview{})
	_, quit = keys(p, "down", "up", "enter", "b", "y")
	require.True(t, quit)
	require.Equal(t, []string{"production for android 1.0.0 both false"}, *rolledBack)
}

func TestNothingIsRolledBackWithoutAYes(t *testing.T) {
	t.Parallel()
	for _, pressed := range [][]string{{"q"}, {"esc"}, {"enter", "n"}, {"enter", "q"}, {"enter", "esc", "q"}, {"y", "q"}} {
		p, rolledBack := scripted(t, client.ChangePreview{})
		end, quit := keys(p, pressed...)
		require.True(t, quit, pressed)
		require.ErrorIs(t, end.err, errLeft)
		require.Empty(t, *rolledBack)
	}
	p, rolledBack := scripted(t, client.ChangePreview{})
	end, _ := keys(p, "3", "enter", "y", "y")
	require.Equal(t, chooses, end.state.screen)
	require.Equal(t, "", end.state.problem, "a key after the problem removes it")
	require.Empty(t, *rolledBack, "a target without a plan is not rolled back")
}

func TestWhatChangedSinceThePreviewIsShownBeforeItIsRolledBack(t *testing.T) {
	t.Parallel()
	before, after := client.ChangePreview{DevicesAffected: new(int64(3))},
		client.ChangePreview{Warnings: []string{"a newer release is rolled back too"}}
	p, rolledBack := scripted(t, before, after, after)
	end, quit := keys(p, "enter", "y")
	require.False(t, quit)
	require.Empty(t, *rolledBack)
	require.True(t, end.state.isChanged)
	require.Equal(t, after.Warnings, end.state.preview.Warnings)
	_, quit = keys(end, "y")
	require.True(t, quit)
	require.Len(t, *rolledBack, 1)

	p, rolledBack = scripted(t, before, client.ChangePreview{DevicesAffected: new(int64(4))})
	_, quit = keys(p, "enter", "y")
	require.True(t, quit, "the number of devices changes all the time")
	require.Len(t, *rolledBack, 1)
}

func TestAPlanForAnotherReleaseLeadsBackToTheList(t *testing.T) {
	t.Parallel()
	p, rolledBack := scripted(t, client.ChangePreview{})
	plan, next := p.actions.plan, int64(31)
	p.actions.plan = func(target client.StreamOverview, both bool) (*undo, *client.ChangePreview, error) {
		u, preview, err := plan(target, both)
		u.release.ID, next = next, 29 // somebody else has rolled release 31 back
		return u, preview, err
	}
	p.actions.list = func() ([]client.StreamOverview, error) { return targetsForPanel(t)[:2], nil }
	end, quit := keys(p, "enter", "y")
	require.False(t, quit)
	require.Equal(t, chooses, end.state.screen)
	require.Contains(t, end.state.problem, "release 31 is not the newest release of production for android 1.0.0 anymore")
	require.Len(t, end.state.targets, 2, "the list is read again")
	end, _ = keys(end, "y")
	require.Empty(t, *rolledBack, "another y does not roll another release back")
	_, quit = keys(end, "enter", "y")
	require.True(t, quit)
	require.Len(t, *rolledBack, 1)
}

func TestTheHealthOfAReleaseThatRollsOutIsItsOwn(t *testing.T) {
	t.Parallel()
	target := targetsForPanel(t)[1]
	r := runningRelease(target)
	require.Equal(t, []string{"231", "0.87%"}, []string{r.devices, r.crashed}, "not of the 1231 devices of the target")
	target.Rollout.Health.Devices = 0
	r = runningRelease(target)
	require.Equal(t, []string{"0", "?"}, []string{r.devices, r.crashed})
}

func TestTheListChangesAndTheChoiceStays(t *testing.T) {
	t.Parallel()
	p, _ := scripted(t, client.ChangePreview{})
	targets := targetsForPanel(t)
	listed := func(p undoPanel, m listedMsg) undoPanel {
		model, cmd := p.Update(m)
		require.NotNil(t, cmd, "the list is read again")
		next, _ := model.(undoPanel)
		return next
	}
	p = listed(p, listedMsg{targets: []client.StreamOverview{targets[1], targets[0]}})
	require.Equal(t, 0, p.state.cursor)
	require.Len(t, p.state.targets, 2)
	p = listed(p, listedMsg{err: errors.New("no connection")})
	require.Len(t, p.state.targets, 2)
	require.Equal(t, "no connection", p.state.stale)
	p = listed(p, listedMsg{targets: p.state.targets})
	require.Empty(t, p.state.stale)
	p, _ = keys(p, "enter")
	require.Len(t, listed(p, listedMsg{targets: targets}).state.targets, 2, "not while a target is reviewed")
	p.state.screen = chooses
	require.Equal(t, 0, listed(p, listedMsg{targets: targets[2:]}).state.cursor, "the chosen target is gone")
}

func TestTheTargetWithAnIncidentIsChosenFirst(t *testing.T) {
	t.Parallel()
	targets := targetsForPanel(t)
	require.Equal(t, 1, firstChoice(targets))
	targets[1].Incidents = 0
	require.Equal(t, 1, firstChoice(targets), "the newest release")
	targets[2].NewestUpdateID = new(int64(40))
	require.Equal(t, 2, firstChoice(targets))
	held := overview(t, map[string]any{"rollout": map[string]any{"updateId": 31, "status": "running", "waitingFor": "threshold"}})
	require.Equal(t, 1, firstChoice([]client.StreamOverview{targets[2], held}))
	require.Contains(t, stateText(held), "a rate is above its limit")
}
