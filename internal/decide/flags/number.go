package flags

import "strconv"

// parseNumber parses a JSON number that fits in double precision.
func parseNumber(s string) (n float64, ok bool) {
	if !isNumber(s) {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}

// isNumber reports whether s is a JSON number. ParseFloat also accepts other forms, such as 0x1p-2 and inf.
func isNumber(s string) bool {
	if len(s) > 0 && s[0] == '-' {
		s = s[1:]
	}
	whole := digits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	if s = s[whole:]; len(s) > 0 && s[0] == '.' {
		decimals := digits(s[1:])
		if decimals == 0 {
			return false
		}
		s = s[1+decimals:]
	}
	if len(s) > 0 && (s[0] == 'e' || s[0] == 'E') {
		if s = s[1:]; len(s) > 0 && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		exponent := digits(s)
		return exponent > 0 && exponent == len(s)
	}
	return s == ""
}

// digits returns the number of decimal digits at the beginning of s.
func digits(s string) (n int) {
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}
