package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waft-ota/waft/client"
)

// ResolutionLines describes what a device gets, and each step of the resolution.
func ResolutionLines(r client.Resolution) []string {
	line := Words(string(r.Outcome))
	if r.UpdateID != nil {
		line += fmt.Sprintf(": %s, update %s", ReleasePhrase(*r.UpdateID, r.Release), OrDash(r.UpdateUUID))
	}
	if r.BranchName != nil {
		line += ", from branch " + *r.BranchName
	}
	lines := []string{line}
	for i, step := range r.Steps {
		lines = append(lines, fmt.Sprintf("  %d. %s: %s. %s", i+1, Words(step.Step), Words(step.Outcome), step.Detail))
	}
	return lines
}

// BreadcrumbLine returns a breadcrumb in one line.
func BreadcrumbLine(b client.Breadcrumb) string {
	at := "-"
	if b.Timestamp != nil {
		at = b.Timestamp.UTC().Format(Stamp)
	}
	words := []string{b.Message}
	if b.Category != "" {
		words[0] = b.Category + ": " + b.Message
	}
	for _, name := range slices.Sorted(maps.Keys(b.Data)) {
		words = append(words, name+"="+b.Data[name])
	}
	return fmt.Sprintf("%s  %s  %s", at, b.Level, OneLine(strings.Join(words, " "), 200))
}
