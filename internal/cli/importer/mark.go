package importer

import (
	"fmt"
	"regexp"
	"time"
)

// maxMessage is the maximum length of an imported message in characters.
const maxMessage = 500

// markPattern matches the message of an imported build.
var markPattern = regexp.MustCompile(`^Imported from (\S+) \((\S+), created (\S+)\)`)

// mark returns the message of an imported build. A later import recognizes the build by it.
func mark(source string, r release) string {
	text := fmt.Sprintf("Imported from %s (%s, created %s)", source, r.id, r.createdAt.UTC().Format(time.RFC3339))
	if r.message != "" {
		text += ": " + shorten(r.message)
	}
	return text
}

// markedID returns the ID of the source's release in the message of a build, or "".
func markedID(source, message string) string {
	if found := markPattern.FindStringSubmatch(message); found != nil && found[1] == source {
		return found[2]
	}
	return ""
}

func shorten(text string) string {
	if runes := []rune(text); len(runes) > maxMessage {
		return string(runes[:maxMessage-1]) + "…"
	}
	return text
}
