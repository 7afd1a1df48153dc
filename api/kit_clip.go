package api

import (
	"strings"
	"unicode/utf8"
)

// clipped is text, cut to about limit bytes when it is longer. What callers send
// comes back in problems and goes to the log, and may be megabytes.
func clipped(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return strings.ToValidUTF8(text[:limit], "\ufffd") + "…"
}
