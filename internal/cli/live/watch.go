package live

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/terminal"
)

// ErrLeft means that the person left the panel before the rollout ended.
var ErrLeft = errors.New("left before the rollout ended")

// Follow calls each with the rollout and after every change until each returns false, and calls lost when the connection breaks.
type Follow func(ctx context.Context, each func(client.RolloutExecution) bool, lost func(error)) error

// Watch shows a rollout in a panel on the terminal out until it ends. It returns the last record, and ErrLeft or
// context.Canceled if the rollout did not end. The last state of the panel remains on the screen.
func Watch(ctx context.Context, in io.Reader, out io.Writer, first client.RolloutExecution, link string,
	follow Follow) (client.RolloutExecution, error) {
	state := State{Rollout: first, ReceivedAt: time.Now(), Link: link}
	var err error
	if first.Model().Status.Open() {
		state, err = run(ctx, in, out, state, follow)
	}
	width := 80
	if file, ok := out.(term.File); ok {
		if now, _, sizeErr := term.GetSize(file.Fd()); sizeErr == nil {
			width = now
		}
	}
	state.Left = true
	_, writeErr := io.WriteString(colorprofile.NewWriter(out, os.Environ()), strings.Join(View(state, time.Now(), width, 0), "\n")+"\n")
	return state.Rollout, errors.Join(err, writeErr)
}

// run shows the panel until the rollout ends, the person leaves or ctx ends.
func run(ctx context.Context, in io.Reader, out io.Writer, state State, follow Follow) (State, error) {
	// The panel has a screen of its own, because a terminal that becomes narrower would break its lines. Keys need a terminal as input.
	options := []tea.ProgramOption{tea.WithOutput(out), tea.WithInput(nil), tea.WithoutSignalHandler()}
	if file, ok := in.(term.File); ok && term.IsTerminal(file.Fd()) {
		options[1] = tea.WithInput(in)
	}
	program := tea.NewProgram(panel{state: state, now: time.Now}, options...)
	following, stop := context.WithCancel(ctx)
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		err := follow(following, func(e client.RolloutExecution) bool {
			program.Send(receivedMsg(e))
			return e.Model().Status.Open()
		}, func(error) { program.Send(lostMsg{}) })
		program.Send(endedMsg{err})
	}()
	last, err := program.Run()
	stop()
	<-followed
	shown, ok := last.(panel)
	if err != nil || !ok {
		return state, err
	}
	return shown.state, shown.err
}

// The messages of the panel.
type (
	receivedMsg client.RolloutExecution
	lostMsg     struct{}
	endedMsg    struct{ err error }
	tickMsg     struct{}
)

// panel is the model of the panel.
type panel struct {
	state         State
	width, height int
	now           func() time.Time
	// err is the reason for the end of the panel before the end of the rollout.
	err error
}

// tick redraws the panel each second, because it shows the duration of the wait.
func tick() tea.Cmd { return tea.Tick(time.Second, func(time.Time) tea.Msg { return tickMsg{} }) }

// Init starts the clock of the panel.
func (p panel) Init() tea.Cmd { return tick() }

// Update changes the panel after a message.
func (p panel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		p.width, p.height = m.Width, m.Height
	case receivedMsg:
		p.state.Rollout, p.state.ReceivedAt, p.state.LostAt = client.RolloutExecution(m), p.now(), time.Time{}
	case lostMsg:
		if p.state.LostAt.IsZero() {
			p.state.LostAt = p.now()
		}
	case endedMsg:
		p.err = m.err
		return p, tea.Quit
	case tickMsg:
		return p, tick()
	case tea.KeyPressMsg:
		switch m.String() {
		case "ctrl+c":
			p.err = context.Canceled
			return p, tea.Quit
		case "q", "esc":
			p.err = ErrLeft
			return p, tea.Quit
		case "ctrl+z":
			return p, tea.Suspend
		}
	}
	return p, nil
}

// View draws the panel.
func (p panel) View() tea.View {
	var v tea.View
	if p.width > 0 && p.height > 0 {
		v.SetContent(strings.Join(View(p.state, p.now(), p.width, p.height), "\n"))
	}
	v.AltScreen = true
	return v
}

// Usable reports whether out is a terminal on which a panel can be drawn.
func Usable(out io.Writer) bool {
	file, ok := out.(term.File)
	if !ok || !terminal.New(out).Live() {
		return false
	}
	width, height, err := term.GetSize(file.Fd())
	return err == nil && width > 0 && height > 0
}
