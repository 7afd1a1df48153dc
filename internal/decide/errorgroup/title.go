// Package errorgroup decides which errors are one: it makes the fingerprints and titles of error groups, and their state on
// a release. It has no I/O.
package errorgroup

import (
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// longestTitle is what is kept of a message, in bytes.
const longestTitle = 256

// placeholder stands for a number or an id.
const placeholder = '#'

// Title is the message without its numbers and ids, so that it is the same for all errors of a kind.
func Title(message string) string {
	const enough = 4 * longestTitle // what is cut away needs no reading
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

// wordLength is the length of the letters and digits that text begins with, or of a UUID.
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
	// shortestHash is from how many hex digits on a word with a digit and a letter is taken for an id.
	shortestHash = 6
	// shortestID and digitsOfID are the same for a word of any letters and digits, in which a letter follows a digit.
	shortestID = 8
	digitsOfID = 2
)

// writeWord writes a word, with a placeholder for each number in it, or one if it is an id.
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
