package terminal

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain returns text as a single line that a terminal can only display. Text from devices or the server could
// otherwise move the cursor, set the title or the clipboard, or show letters in a different order. Plain drops
// control characters (C0, DEL and C1, which begin all escape sequences) and characters that change the direction of
// text. It replaces each other white-space character with a space.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\r', unicode.In(r, unicode.Zl, unicode.Zp):
			return ' '
		case commands(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, string(utf8.RuneError)))
}

// commands reports whether the character may make a terminal do more than display it.
func commands(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.In(r, unicode.Zl, unicode.Zp)
}

// style matches an escape sequence for colour or weight, as package lipgloss writes it.
var style = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// Styled returns text like Plain but keeps styles. Use it for text that this program has styled.
func Styled(text string) string {
	var b strings.Builder
	end := 0
	for _, at := range style.FindAllStringIndex(text, -1) {
		b.WriteString(Plain(text[end:at[0]]))
		b.WriteString(text[at[0]:at[1]])
		end = at[1]
	}
	b.WriteString(Plain(text[end:]))
	return b.String()
}

// PlainJSON returns JSON with the same value in which every character that Plain drops is escaped. JSON from the
// network only has to escape characters below U+0020.
func PlainJSON(text []byte) []byte {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\ufffd`)
		case commands(r) && !strings.ContainsRune(" \n\r\t", r): // keep the white space between values
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.Write(text[:size])
		}
		text = text[size:]
	}
	return []byte(b.String())
}
