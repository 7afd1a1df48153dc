package terminal

import "charm.land/lipgloss/v2"

// The styles of all output. Basic colours follow the terminal's own theme.
var (
	Title = lipgloss.NewStyle().Bold(true)
	Faint = lipgloss.NewStyle().Faint(true)
	Good  = lipgloss.NewStyle().Foreground(lipgloss.Green)
	Bad   = lipgloss.NewStyle().Foreground(lipgloss.Red).Bold(true)
	Warn  = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	Cool  = lipgloss.NewStyle().Foreground(lipgloss.Blue)
)
