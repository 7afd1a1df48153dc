// Package qvalue parses headers with quality values: Accept, Accept-Encoding and A-IM.
package qvalue

import (
	"iter"
	"regexp"
	"strconv"
	"strings"
)

// Element is one element of such a header.
type Element struct {
	// Name is a media range or content coding, in lower case.
	Name string
	// Weight is the quality value, from 0 (not acceptable) to 1, the default.
	Weight float64
	// Parameterized reports whether the element has parameters other than its weight.
	Parameterized bool
}

// weightPattern is the qvalue of RFC 9110, section 12.4.2.
var weightPattern = regexp.MustCompile(`^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$`)

// Elements yields the elements of a header's value in order. It skips elements without a name, with an
// invalid weight or with several weights, since their meaning is not clear.
func Elements(header string) iter.Seq[Element] {
	return func(yield func(Element) bool) {
		for text := range strings.SplitSeq(header, ",") {
			if e, ok := element(text); ok && !yield(e) {
				return
			}
		}
	}
}

func element(text string) (e Element, ok bool) {
	name, parameters, more := strings.Cut(text, ";")
	e = Element{Name: strings.ToLower(strings.Trim(name, " \t")), Weight: 1}
	weighted := false
	for more {
		var parameter string
		parameter, parameters, more = strings.Cut(parameters, ";")
		key, value, _ := strings.Cut(strings.Trim(parameter, " \t"), "=")
		if !strings.EqualFold(key, "q") {
			e.Parameterized = true
			continue
		}
		if weighted || !weightPattern.MatchString(value) {
			return e, false
		}
		e.Weight, _ = strconv.ParseFloat(value, 64) // cannot fail after the match
		weighted = true
	}
	return e, e.Name != ""
}
