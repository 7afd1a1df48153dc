package models

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// dot and space match the same characters as . and \s in ECMAScript; . and \s of RE2 differ.
const (
	dot   = `[^\n\r\x{2028}\x{2029}]`
	space = `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
)

// FlagPattern is a compiled pattern.
type FlagPattern struct {
	*regexp.Regexp
	// Instructions is the number of instructions of the compiled program.
	Instructions int
}

// ParseFlagPattern compiles a regular expression that means the same in RE2 as in ECMAScript with the flag u, so that servers
// and clients agree. It returns an error for any other expression, and for an expression that compiles to more than
// MaxPatternInstructions.
func ParseFlagPattern(text string) (FlagPattern, error) {
	re2, instructions, err := measureFlagPattern(text)
	if err != nil {
		return FlagPattern{}, err
	}
	compiled, err := regexp.Compile(re2)
	if err != nil {
		return FlagPattern{}, errNotRE2
	}
	return FlagPattern{compiled, instructions}, nil
}

var errNotRE2 = errors.New("must be a regular expression in RE2's syntax")

// measureFlagPattern returns the pattern in RE2's syntax and the number of its instructions.
func measureFlagPattern(text string) (re2 string, instructions int, err error) {
	if len(text) > maxMatchBytes {
		return "", 0, fmt.Errorf("must be at most %d bytes", maxMatchBytes)
	}
	r := patternReader{rest: text}
	if err := r.read(); err != nil {
		return "", 0, fmt.Errorf("must be a regular expression that means the same in RE2 and ECMAScript: %w", err)
	}
	re2 = r.out.String()
	instructions, err = patternInstructions(re2)
	if syntaxErr := (*syntax.Error)(nil); errors.As(err, &syntaxErr) {
		err = errNotRE2
	}
	return re2, instructions, err
}

// patternReader translates a pattern of the syntax that RE2 and ECMAScript have in common to RE2.
type patternReader struct {
	rest string
	out  strings.Builder
}

// take removes and returns the next n bytes.
func (r *patternReader) take(n int) string {
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *patternReader) read() error {
	for r.rest != "" {
		var err error
		switch r.rest[0] {
		case '\\':
			err = r.escape(false)
		case '[':
			err = r.class()
		case '(':
			err = r.group()
		case '{':
			err = r.repetition()
		case '.':
			r.take(1)
			r.out.WriteString(dot)
		case '^', '$':
			r.out.WriteString(r.take(1))
			err = r.notRepeated()
		case ']', '}':
			err = fmt.Errorf("write \\%c for the character %c", r.rest[0], r.rest[0])
		default:
			r.out.WriteString(r.take(1))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// notRepeated rejects a repetition of an assertion, which ECMAScript does not allow.
func (r *patternReader) notRepeated() error {
	if r.rest != "" && strings.ContainsRune("*+?{", rune(r.rest[0])) {
		return errors.New("an assertion cannot be repeated")
	}
	return nil
}

func (r *patternReader) escape(inClass bool) error {
	if len(r.rest) < 2 {
		return errors.New("the expression ends in a backslash")
	}
	switch c := r.rest[1]; {
	case strings.IndexByte(`^$\.*+?()[]{}|/`, c) >= 0, c == '-' && inClass:
		r.take(2)
		if c == '/' {
			r.out.WriteByte('/')
		} else {
			r.out.WriteString(`\` + string(c))
		}
	case strings.IndexByte("dDwWtnrfv", c) >= 0:
		r.out.WriteString(r.take(2))
	case c == 's' && inClass:
		r.take(2)
		r.out.WriteString(space)
	case c == 's', c == 'S' && !inClass:
		r.take(2)
		r.out.WriteString(map[byte]string{'s': "[", 'S': "[^"}[c] + space + "]")
	case (c == 'b' || c == 'B') && !inClass:
		r.out.WriteString(r.take(2))
		return r.notRepeated()
	case c == 'x' && len(r.rest) >= 4 && isHex(r.rest[2]) && isHex(r.rest[3]):
		r.out.WriteString(r.take(4))
	default:
		return fmt.Errorf("the escape \\%s does not exist in both", firstRune(r.rest[1:]))
	}
	return nil
}

func isHex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }

func firstRune(text string) string {
	for _, c := range text {
		return string(c)
	}
	return ""
}

// class reads a class such as [^a-z\d].
func (r *patternReader) class() error {
	r.out.WriteString(r.take(1))
	if strings.HasPrefix(r.rest, "^") {
		r.out.WriteString(r.take(1))
	}
	for first := true; r.rest != ""; first = false {
		switch c := r.rest[0]; {
		case c == ']' && first:
			return errors.New("a class is empty")
		case c == ']':
			r.out.WriteString(r.take(1))
			return nil
		case c == '[':
			return errors.New(`write \[ for the character [ in a class`)
		case c == '-' && !first && r.rest != "-" && !strings.HasPrefix(r.rest, "-]") && strings.HasPrefix(r.rest[1:], `\`) &&
			len(r.rest) > 2 && strings.IndexByte("dDwWs", r.rest[2]) >= 0:
			return errors.New("a range in a class needs two characters")
		case c == '\\':
			kind := byte(0)
			if len(r.rest) > 1 {
				kind = r.rest[1]
			}
			if err := r.escape(true); err != nil {
				return err
			}
			if strings.IndexByte("dDwWs", kind) >= 0 && strings.HasPrefix(r.rest, "-") && !strings.HasPrefix(r.rest, "-]") {
				return errors.New("a range in a class needs two characters")
			}
		default:
			r.out.WriteString(r.take(1))
		}
	}
	return errors.New("a class is not closed")
}

// group reads the beginning of a group.
func (r *patternReader) group() error {
	if strings.HasPrefix(r.rest, "(?") && !strings.HasPrefix(r.rest, "(?:") {
		return errors.New("groups that begin with (? are not allowed, except non-capturing groups")
	}
	n := 1
	if strings.HasPrefix(r.rest, "(?:") {
		n = 3
	}
	r.out.WriteString(r.take(n))
	return nil
}

var repetition = regexp.MustCompile(`^\{\d+(,\d*)?\}`)

// repetition reads {2}, {2,} or {2,5}.
func (r *patternReader) repetition() error {
	found := repetition.FindString(r.rest)
	if found == "" {
		return errors.New(`write \{ for the character {`)
	}
	r.out.WriteString(r.take(len(found)))
	return nil
}
