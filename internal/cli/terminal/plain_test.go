package terminal

import (
	"encoding/json"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

func TestPlainTextOnlyShows(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"TypeError: x is not a function":  "TypeError: x is not a function",
		"Ünïcödé 漢字 🚀 👩\u200d🚀":           "Ünïcödé 漢字 🚀 👩\u200d🚀",
		"\x1b[2J\x1b[Hgone":               "[2J[Hgone",
		"\x1b]0;title\x07text":            "]0;titletext",
		"\x1b]52;c;Y3VybA==\x1b\\":        `]52;c;Y3VybA==\`,
		"\u009b31mred\u009d0;t\u009c":     "31mred0;t",
		"\x9b31mred":                      "\ufffd31mred",
		"a\rb\nc\td":                      "a b c d",
		"back\b\b\b\bfront\x7f\x00":       "backfront",
		"evil\u202etxt.exe\u202c":         "eviltxt.exe",
		"\u2066a\u2069\u200e\u200f\u061c": "a",
		"one\u2028two\u2029three":         "one two three",
	} {
		require.Equal(t, want, Plain(text), "%q", text)
	}
	// Plain must drop everything that Unicode classifies as a control character.
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			require.NotContains(t, Plain("a"+string(r)+"b"), string(r))
		}
	}
}

func TestStyledTextKeepsStylesOnly(t *testing.T) {
	t.Parallel()
	styled := Bad.Render("bad")
	require.Equal(t, styled+" [2J", Styled(styled+" \x1b[2J"))
	require.Equal(t, "\x1b[1;31mx\x1b[m]0;t", Styled("\x1b[1;31mx\x1b[m\x1b]0;t\x07"))
	require.Equal(t, "[", Styled("\x1b\x1b["))
}

func TestPlainJSONIsTheSameValue(t *testing.T) {
	t.Parallel()
	value := map[string]any{"a\u202e": "\x1b[31m \u009b \u202e \u2066 \x7f \u2028 漢字 🚀", "b": []any{"\n\t\\u001b"}}
	text, err := json.MarshalIndent(value, "", "\t")
	require.NoError(t, err)
	plain := PlainJSON(text)
	require.JSONEq(t, string(text), string(plain))
	for _, r := range string(plain) {
		require.False(t, commands(r) && r != '\n' && r != '\t', "%q", r)
	}
	require.Equal(t, `"\ufffd31m"`, string(PlainJSON([]byte("\"\x9b31m\""))))
}
