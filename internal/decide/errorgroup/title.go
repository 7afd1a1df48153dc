// Package errorgroup groups errors. It computes the fingerprints and titles of error groups, and their state on a
// release. It does not do I/O.
package errorgroup

import (
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// longestTitle is the maximum length of a title in bytes.
const longestTitle = 256

// placeholder replaces a number or an ID.
const placeholder = '#'

// Title returns the message without its numbers and IDs, so that all errors of the same kind have the same title.
func Title(message string) string {
	const enough = 4 * longestTitle // a title never depends on later bytes
	if len(message) > enough {
		message = strings.ToValidUTF8(message[:enough], "")
	}
	var b strings.Builder
	b.Grow(min(len(message), longestTitle+utf8.UTFMax))
	for i := 0; i < len(message) && b.Len() < longestTitle; {
		c := message[i]
		switch {
		case isAlnum(c):
			n := wordLength(message[i:])
			writeWord(&b, message[i:i+n])
			i += n
		case c <= ' ':
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			for i < len(message) && message[i] <= ' ' {
				i++
			}
		default:
			_, n := utf8.DecodeRuneInString(message[i:])
			b.WriteString(message[i : i+n])
			i += n
		}
	}
	title := strings.TrimSpace(b.String())
	if len(title) > longestTitle {
		title = strings.TrimSpace(strings.ToValidUTF8(title[:longestTitle], ""))
	}
	return title
}

// wordLength returns the length of the UUID, or of the letters and digits, at the beginning of text.
func wordLength(text string) int {
	if isUUID(text) {
		return uuidLength
	}
	n := 0
	for n < len(text) && isAlnum(text[n]) {
		n++
	}
	return n
}

const (
	uuidLength = 36
	// shortestHash is the minimum length of a hex word with a digit and a letter that counts as an ID.
	shortestHash = 6
	// shortestID and digitsOfID are the minimum length and number of digits of an ID with any letters. A letter must
	// follow a digit.
	shortestID = 8
	digitsOfID = 2
)

// writeWord writes a word. It replaces each number in it by a placeholder, or the whole word if it is an ID.
func writeWord(b *strings.Builder, word string) {
	digits, hex, mixed := 0, true, false
	for i := range len(word) {
		if isDigit(word[i]) {
			digits++
		}
		mixed = mixed || i > 0 && isDigit(word[i-1]) && !isDigit(word[i])
		hex = hex && isHex(word[i])
	}
	switch {
	case digits == 0:
		b.WriteString(word)
		return
	case isUUID(word), hex && len(word) >= shortestHash, mixed && len(word) >= shortestID && digits >= digitsOfID:
		b.WriteByte(placeholder)
		return
	}
	for i := range len(word) {
		switch {
		case !isDigit(word[i]):
			b.WriteByte(word[i])
		case i == 0 || !isDigit(word[i-1]):
			b.WriteByte(placeholder)
		}
	}
}

func isUUID(text string) bool {
	return len(text) >= uuidLength && text[8] == '-' && uuid.Validate(text[:uuidLength]) == nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlnum(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isHex(c byte) bool   { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }
