package terminal

import (
	"bytes"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/stretchr/testify/require"
)

func TestATableFitsTheTerminal(t *testing.T) {
	t.Parallel()
	rows := [][]string{
		{"ID", "STATE", "NOTES", "BY"},
		{"17", "enabled", "Faster checkout, with fewer requests", "ada@example.com"},
		{"9", "off", "Fix", "bob@example.com"},
	}
	texts := []bool{false, false, true, false}
	require.Equal(t, Columns(rows), FitColumns(rows, texts, 0), "not a terminal")
	require.Equal(t, Columns(rows), FitColumns(rows, texts, 200))
	require.Equal(t, []string{
		"ID  STATE    NOTES               BY",
		"17  enabled  Faster checkout, …  ada@example.com",
		"9   off      Fix                 bob@example.com",
	}, unpadded(FitColumns(rows, texts, 48)))
	require.Equal(t, []string{
		"ID  STATE    NOTES",
		"  BY",
		"17  enabled  Faster checkout,…",
		"  ada@example.com",
		"9   off      Fix",
		"  bob@example.com",
	}, FitColumns(rows, texts, 30), "what does not fit one line takes more")
}

func TestAnIDIsNeverShortened(t *testing.T) {
	t.Parallel()
	const uuid = "8f14e45f-ceea-467f-9e0c-0f6c5f0e6b1a"
	for text, id := range map[string]string{
		"release “Faster checkout with fewer requests” (#1729)": "(#1729)", "update " + uuid: uuid,
		"rollout_policy 1729 with a careful name": "rollout_policy 1729", "trusted_publisher 1729": "trusted_publisher 1729",
		"error_group 9f86d081884c7d65 TypeError of the cart": "9f86d081884c7d65", "device " + uuid + " of Ada": uuid,
	} {
		rows := [][]string{{"DEVICE", "RUNS"}, {strings.Repeat("d", 30), text}}
		for width := 1; width < 100; width++ {
			lines := strings.Join(FitColumns(rows, []bool{false, true}, width), "\n")
			require.Contains(t, lines, rows[1][0])
			require.Contains(t, lines, id)
		}
	}
	require.Equal(t, "release “Fas…” (#1729)", Shorten("release “Faster checkout” (#1729)", 22))
}

func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	t.Parallel()
	rows := [][]string{
		{"ID", "WHERE", "ERROR", "LAST SEEN"},
		{"9f86d081884c7d65", "src/漢字漢字漢字漢字漢字漢字.tsx", strings.Repeat("TypeError ", 30), "2026-03-14 09:26:53Z"},
	}
	for width := 22; width < 120; width++ { // the widest other cell needs 20 cells and the indent
		for _, line := range FitColumns(rows, []bool{false, true, true, false}, width) {
			require.True(t, lipgloss.Width(line) <= width, "%d cells: %q", width, line)
		}
	}
}

func TestOutputThatIsNotATerminalHasNoWidth(t *testing.T) {
	t.Parallel()
	require.Zero(t, WidthOf(&bytes.Buffer{}))
}

func unpadded(lines []string) []string {
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}
