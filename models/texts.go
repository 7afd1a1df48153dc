package models

import (
	"cmp"
	"slices"
)

// Text is a text that has a name, such as a tag of an event.
type Text struct{ Name, Value string }

// Texts are texts of different names. There are a few of them in each of thousands of
// events a second: a list is filled and walked over in about half the time of a map.
type Texts []Text

// TextsOf are the values by their names, nil when there are none.
func TextsOf(values map[string]string) Texts {
	if len(values) == 0 {
		return nil
	}
	texts := make(Texts, 0, len(values))
	for name, value := range values {
		texts = append(texts, Text{name, value})
	}
	slices.SortFunc(texts, ByName)
	return texts
}

// ByName compares two texts by their names alone.
func ByName(a, b Text) int { return cmp.Compare(a.Name, b.Name) }

// Map are the values by name, never nil.
func (t Texts) Map() map[string]string {
	values := make(map[string]string, len(t))
	for _, text := range t {
		values[text.Name] = text.Value
	}
	return values
}
