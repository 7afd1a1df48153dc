package models

import (
	"fmt"
	"strings"
)

// maxPhraseNotes is the maximum number of bytes of release notes in a phrase.
const maxPhraseNotes = 120

// ReleasePhrase identifies a release in a sentence: by the first line of its notes, with its number. Without notes, it
// returns the number only.
func ReleasePhrase(id int64, notes string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(notes), "\n")
	if first = strings.TrimSpace(first); first == "" {
		return fmt.Sprintf("release %d", id)
	}
	if len(first) > maxPhraseNotes {
		first = StorableText(first, maxPhraseNotes) + "…"
	}
	return fmt.Sprintf("release “%s” (#%d)", first, id)
}

// Phrase identifies the release in a sentence.
func (r *Release) Phrase() string { return ReleasePhrase(r.ID, r.ReleaseMessage) }
