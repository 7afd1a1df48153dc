package api

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/waft-ota/waft/models"
)

// scanner walks once over a text that is valid JSON. gjson finds a value by looking for
// its end, and looks at it again for each level of what is nested.
type scanner struct {
	text string
	at   int
}

// enter steps into an object or an array.
func (s *scanner) enter() { s.at++ }

// more stands at the next member, or else behind the end of the object or array.
func (s *scanner) more() bool {
	for {
		switch c := s.text[s.at]; {
		case c <= ' ' || c == ',':
			s.at++
		case c == '}' || c == ']':
			s.at++
			return false
		default:
			return true
		}
	}
}

// name reads the name of a member and stands at its value.
func (s *scanner) name() string {
	name := textOf(s.value())
	for c := s.text[s.at]; c <= ' ' || c == ':'; c = s.text[s.at] {
		s.at++
	}
	return name
}

// begins reports whether the value here begins so: with { or [.
func (s *scanner) begins(with byte) bool { return s.text[s.at] == with }

// value reads the value here, with all that it holds.
func (s *scanner) value() gjson.Result {
	from := s.at
	switch s.text[from] {
	case '"':
		escaped := s.passText()
		raw := s.text[from:s.at]
		if escaped {
			return gjson.Parse(raw)
		}
		return gjson.Result{Type: gjson.String, Raw: raw, Str: raw[1 : len(raw)-1]}
	case '{', '[':
		s.passNested()
		return gjson.Result{Type: gjson.JSON, Raw: s.text[from:s.at]}
	}
	for s.at < len(s.text) && s.text[s.at] > ' ' && !strings.ContainsRune(",]}:", rune(s.text[s.at])) {
		s.at++
	}
	return gjson.Parse(s.text[from:s.at])
}

// passText passes a string and reports whether it has anything escaped.
func (s *scanner) passText() (escaped bool) {
	for s.at++; s.text[s.at] != '"'; s.at++ {
		if s.text[s.at] == '\\' {
			escaped = true
			s.at++
		}
	}
	s.at++
	return escaped
}

func (s *scanner) passNested() {
	for depth := 0; ; {
		switch s.text[s.at] {
		case '"':
			s.passText()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.at++
		if depth == 0 {
			return
		}
	}
}

// scannedText is a member of an object of texts; null says that it is none.
type scannedText struct {
	models.Text
	null bool
}

// texts reads the object here, by name: what its values become as text, a string as it
// is, anything else as its JSON; null is left out. Of several members of one name the
// last counts.
func (s *scanner) texts() (texts models.Texts) {
	var few [8]scannedText
	members := few[:0]
	for s.enter(); s.more(); {
		member := scannedText{Text: models.Text{Name: cut(s.name(), maxShortText)}}
		value := s.value()
		switch value.Type {
		case gjson.Null:
			member.null = true
		case gjson.String:
			member.Value = cut(textOf(value), maxShortText)
		default:
			member.Value = cut(value.Raw, maxShortText)
		}
		members = append(members, member)
	}
	slices.SortStableFunc(members, func(a, b scannedText) int { return models.ByName(a.Text, b.Text) })
	for i, m := range members {
		if m.null || i+1 < len(members) && members[i+1].Name == m.Name {
			continue
		}
		if texts == nil {
			texts = make(models.Texts, 0, len(members)-i)
		}
		texts = append(texts, m.Text)
	}
	return texts
}
