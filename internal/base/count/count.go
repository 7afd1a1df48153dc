// Package count writes numbers with their nouns.
package count

import (
	"fmt"
	"strings"
)

// Of returns a number with its noun, which is given in the singular: "1 device", "2 devices".
func Of[N ~int | ~int32 | ~int64](n N, noun string) string {
	return fmt.Sprintf("%d %s", n, Noun(n, noun))
}

// Noun returns the noun that follows a number: "device" or "devices".
func Noun[N ~int | ~int32 | ~int64](n N, noun string) string {
	if n == 1 {
		return noun
	}
	for _, hiss := range []string{"s", "x", "sh", "ch"} {
		if strings.HasSuffix(noun, hiss) {
			return noun + "es"
		}
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok && !strings.ContainsAny(stem[len(stem)-1:], "aeiou") {
		return stem + "ies"
	}
	return noun + "s"
}

// Choose returns the form of a verb that follows a number: "is" or "are".
func Choose[N ~int | ~int32 | ~int64](n N, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}
