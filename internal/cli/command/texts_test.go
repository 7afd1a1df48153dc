package command

import (
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/stretchr/testify/require"
)

func TestOneLineFitsItsCells(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Faster\n checkout": "Faster checkout", "Faster checkout for all": "Faster checkout…",
		"漢字漢字漢字漢字漢字":              "漢字漢字漢字漢…",
		"\x1b[31mFaster checkout": "[31mFaster chec…", "release “Faster checkout” (#9)": "release “…” (#9)",
	} {
		got := OneLine(text, 16)
		require.Equal(t, want, got)
		require.LessOrEqual(t, lipgloss.Width(got), 16)
	}
}
