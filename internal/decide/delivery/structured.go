package delivery

import (
	"strings"

	"github.com/dunglas/httpsfv"
)

// Most manifest requests have two structured headers (RFC 8941). The library that parses them allocates much memory.
// These functions therefore parse headers that contain only strings without escapes, as stock clients send them, and
// use the library only for other headers.

// parameter returns a string from a dictionary, or "" if there is no such string or the dictionary does not parse.
func parameter(header, name string) string {
	if value, plain := plainParameter(header, name); plain {
		return value
	}
	members, err := httpsfv.UnmarshalDictionary([]string{header})
	if err != nil {
		return ""
	}
	value, _ := itemOf(members, name).(string)
	return value
}

// stringsOf returns the first strings of a list, at most most. It returns none if the list does not parse.
func stringsOf(header string, most int) []string {
	if values, plain := plainStrings(header, most); plain {
		return values
	}
	list, err := httpsfv.UnmarshalList([]string{header})
	if err != nil {
		return nil
	}
	var values []string
	for _, member := range list {
		if item, ok := member.(httpsfv.Item); ok && len(values) < most {
			if value, ok := item.Value.(string); ok {
				values = append(values, value)
			}
		}
	}
	return values
}

// itemOf returns the bare value of a member, or nil if it is missing or a list.
func itemOf(members *httpsfv.Dictionary, name string) any {
	member, _ := members.Get(name)
	item, _ := member.(httpsfv.Item)
	return item.Value
}

// textOf returns a member that is a string or a token, otherwise "".
func textOf(members *httpsfv.Dictionary, name string) string {
	switch v := itemOf(members, name).(type) {
	case string:
		return v
	case httpsfv.Token:
		return string(v)
	default:
		return ""
	}
}

// plainParameter parses a dictionary of the form key="value", …. plain is false for other forms.
func plainParameter(header, name string) (value string, plain bool) {
	for rest, more := header, true; more; {
		key, quoted, ok := strings.Cut(rest, "=")
		if !ok || !plainKey(key) {
			return "", false
		}
		text, after, ok := cutString(quoted)
		if !ok {
			return "", false
		}
		if key == name {
			value = text
		}
		if rest, more = strings.CutPrefix(after, ", "); !more && after != "" {
			return "", false
		}
	}
	return value, true
}

// plainStrings parses a list of the form "value", …. plain is false for other forms.
func plainStrings(header string, most int) (values []string, plain bool) {
	values = make([]string, 0, min(most, 1+strings.Count(header, ", ")))
	for rest, more := header, true; more; {
		text, after, ok := cutString(rest)
		if !ok {
			return nil, false
		}
		if len(values) < most {
			values = append(values, text)
		}
		if rest, more = strings.CutPrefix(after, ", "); !more && after != "" {
			return nil, false
		}
	}
	return values, true
}

func plainKey(key string) bool {
	return key != "" && key[0] >= 'a' && key[0] <= 'z' &&
		strings.Trim(key, "abcdefghijklmnopqrstuvwxyz0123456789_-.*") == ""
}

// cutString cuts a quoted string without escapes off the beginning of s.
func cutString(s string) (text, after string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", "", false
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return s[1:i], s[i+1:], true
		case c == '\\' || c < 0x20 || c > 0x7e:
			return "", "", false
		}
	}
	return "", "", false
}
