package terminal

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain is text in one line that a terminal only shows. Whatever a device or the server sent could otherwise move the
// cursor, set the title or the clipboard, or show letters in another order than they are in. It drops control characters
// (C0, DEL, C1: the beginnings of all escape sequences) and those that change the direction of text, and makes a space of
// white space.
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

// commands reports whether the character may make a terminal do something.
func commands(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.In(r, unicode.Zl, unicode.Zp)
}

// style is an escape sequence of colours and weights, as package lipgloss writes them.
var style = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// Styled is Plain that keeps styles, for text that this program styled.
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

// PlainJSON is JSON of the same value in which every character that Plain drops is escaped. JSON that came over the
// network escapes those below U+0020 only.
func PlainJSON(text []byte) []byte {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\ufffd`)
		case commands(r) && !strings.ContainsRune(" \n\r\t", r): // white space between values
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.Write(text[:size])
		}
		text = text[size:]
	}
	return []byte(b.String())
}
