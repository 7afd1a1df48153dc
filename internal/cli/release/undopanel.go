package release

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

// errLeft means that the person left the panel without a rollback.
var errLeft = errors.New("left without a rollback")

// undoActions are the calls that the panel makes.
type undoActions struct {
	// list returns the targets as they are now.
	list func() ([]client.StreamOverview, error)
	plan func(client.StreamOverview, bool) (*undo, *client.ChangePreview, error)
	do   func(*undo) (*done, error)
}

// undoPanel is the model of the panel. It ends with done or err.
type undoPanel struct {
	state         undoState
	actions       undoActions
	width, height int

	done *done
	err  error
}

// The messages of the panel.
type (
	plannedMsg struct {
		undo    *undo
		preview *client.ChangePreview
		err     error
	}
	// changedMsg is a plan that replaces the one on the screen, because something changed in the meantime.
	changedMsg plannedMsg
	doneMsg    struct {
		done *done
		err  error
	}
	// listedMsg is the list as it is now. The clock of the list continues after it, unless the list was read between its ticks.
	listedMsg struct {
		targets   []client.StreamOverview
		err       error
		isBetween bool
	}
	listMsg struct{}
)

// runPanel shows the panel until it ends.
func runPanel(in io.Reader, out io.Writer, p undoPanel) (undoPanel, error) {
	last, err := tea.NewProgram(p, tea.WithInput(in), tea.WithOutput(out)).Run()
	switch {
	case errors.Is(err, tea.ErrInterrupted):
		return p, context.Canceled
	case err != nil:
		return p, err
	}
	end, ok := last.(undoPanel)
	if !ok {
		return p, errors.New("the panel ended without a result")
	}
	return end, nil
}

// listEvery is the time between two looks at what runs.
const listEvery = 3 * time.Second

// Init starts the clock of the list.
func (p undoPanel) Init() tea.Cmd { return listLater() }

func listLater() tea.Cmd { return tea.Tick(listEvery, func(time.Time) tea.Msg { return listMsg{} }) }

// Update changes the panel after a message.
func (p undoPanel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		p.width, p.height = m.Width, m.Height
	case plannedMsg:
		return p.planned(m, false)
	case changedMsg:
		return p.changed(plannedMsg(m))
	case listMsg:
		return p, p.list(false)
	case listedMsg:
		if m.isBetween {
			return p.listed(m), nil
		}
		return p.listed(m), listLater()
	case doneMsg:
		p.done, p.err = m.done, m.err
		return p, tea.Quit
	case tea.KeyPressMsg:
		return p.press(m.String())
	}
	return p, nil
}

// list reads the targets.
func (p undoPanel) list(isBetween bool) tea.Cmd {
	list := p.actions.list
	return func() tea.Msg {
		targets, err := list()
		return listedMsg{targets, err, isBetween}
	}
}

// listed replaces the targets, and keeps the chosen one. The targets stay as they are while the person reviews one of them, and
// while they cannot be read.
func (p undoPanel) listed(m listedMsg) undoPanel {
	p.state.stale = ""
	if m.err != nil {
		p.state.stale = m.err.Error()
	}
	if m.err != nil || len(m.targets) == 0 || p.state.screen != chooses {
		return p
	}
	chosen := p.state.targets[p.state.cursor]
	p.state.targets = m.targets
	p.state.cursor = max(0, slices.IndexFunc(m.targets, func(t client.StreamOverview) bool { return targetText(t) == targetText(chosen) }))
	return p
}

// planned shows a plan, or the reason why a plan is impossible.
func (p undoPanel) planned(m plannedMsg, isChanged bool) (tea.Model, tea.Cmd) {
	p.state.offset, p.state.isChanged = 0, isChanged
	if m.err != nil {
		p.state.screen, p.state.problem = chooses, m.err.Error()
		return p, nil
	}
	p.state.screen, p.state.undo, p.state.preview = reviews, m.undo, m.preview
	return p, nil
}

// changed shows a plan instead of the plan that the person confirmed. If it is about another release, the person chooses again:
// somebody else has rolled the release back, or has published a newer one.
func (p undoPanel) changed(m plannedMsg) (tea.Model, tea.Cmd) {
	if m.err != nil || m.undo.release.ID == p.state.undo.release.ID {
		return p.planned(m, true)
	}
	p.state.screen = chooses
	p.state.problem = fmt.Sprintf("The rollback did not happen: %s is not the newest release of %s anymore. Choose again.",
		models.ReleasePhrase(p.state.undo.release.ID, p.state.undo.release.ReleaseMessage), targetText(p.state.undo.target))
	return p, p.list(true)
}

func (p undoPanel) press(key string) (tea.Model, tea.Cmd) {
	if key == "ctrl+c" {
		p.err = context.Canceled
		return p, tea.Quit
	}
	switch p.state.screen {
	case chooses:
		return p.pressChoosing(key)
	case reviews:
		return p.pressReviewing(key)
	case waits:
	}
	return p, nil // a call is made, and its result follows
}

func (p undoPanel) pressChoosing(key string) (tea.Model, tea.Cmd) {
	p.state.problem = ""
	switch key {
	case "q", "esc":
		p.err = errLeft
		return p, tea.Quit
	case "up", "k":
		p.state.cursor = max(0, p.state.cursor-1)
	case "down", "j":
		p.state.cursor = min(len(p.state.targets)-1, p.state.cursor+1)
	case "enter":
		return p.load()
	default:
		if i := strings.Index("123456789", key); len(key) == 1 && i >= 0 && i < len(p.state.targets) {
			p.state.cursor = i
		}
	}
	return p, nil
}

func (p undoPanel) pressReviewing(key string) (tea.Model, tea.Cmd) {
	switch key {
	case "q", "n":
		p.err = errLeft
		return p, tea.Quit
	case "esc", "left", "backspace":
		p.state.screen = chooses
	case "up", "k":
		p.state.offset = max(0, p.state.offset-1)
	case "down", "j":
		p.state.offset = min(max(0, len(undoLines(p.state, p.width))-1), p.state.offset+1)
	case "b":
		p.state.both = !p.state.both
		return p.load()
	case "y":
		p.state.screen, p.state.waitsFor = waits, "Rolling back …"
		return p, p.carryOut()
	}
	return p, nil
}

// load requests what the rollback of the chosen target changes.
func (p undoPanel) load() (tea.Model, tea.Cmd) {
	target, both, plan := p.state.targets[p.state.cursor], p.state.both, p.actions.plan
	p.state.screen, p.state.waitsFor = waits, "Finding out what would change …"
	return p, func() tea.Msg {
		u, preview, err := plan(target, both)
		return plannedMsg{u, preview, err}
	}
}

// carryOut rolls back, unless the rollback would change something else than what the person has seen.
func (p undoPanel) carryOut() tea.Cmd {
	target, both, actions := p.state.targets[p.state.cursor], p.state.both, p.actions
	release, seen := p.state.undo.release.ID, p.state.preview
	return func() tea.Msg {
		u, preview, err := actions.plan(target, both)
		if err != nil || u.release.ID != release || !sameChange(*seen, *preview) {
			return changedMsg{u, preview, err}
		}
		d, err := actions.do(u)
		return doneMsg{d, err}
	}
}

// View draws the panel.
func (p undoPanel) View() tea.View {
	var v tea.View
	if p.width > 0 && p.height > 0 {
		v.SetContent(strings.Join(undoView(p.state, time.Now(), p.width, p.height), "\n"))
	}
	v.AltScreen = true
	return v
}
