package sourcemap

import "errors"

// errNoVLQ says that a string is not Base64 VLQ.
var errNoVLQ = errors.New("it is not Base64 VLQ")

var base64Values = func() (values [256]int8) {
	for i := range values {
		values[i] = -1
	}
	for i, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
		values[c] = int8(i)
	}
	return values
}()

// vlq reads a number at the beginning of text and returns it with the rest.
func vlq(text string) (n int32, rest string, err error) {
	const (
		continued = 32
		digitBits = 5
		maxBits   = 32 + 1 // including the sign
	)
	var value uint64
	for i, shift := 0, 0; i < len(text) && shift <= maxBits; i, shift = i+1, shift+digitBits {
		digit := base64Values[text[i]]
		if digit < 0 {
			return 0, "", errNoVLQ
		}
		value |= uint64(digit&(continued-1)) << shift
		if digit&continued != 0 {
			continue
		}
		n := int64(value >> 1)
		if value&1 == 1 {
			n = -n
		}
		if n != int64(int32(n)) {
			return 0, "", errNoVLQ
		}
		return int32(n), text[i+1:], nil
	}
	return 0, "", errNoVLQ
}

// vlqs reads the numbers of a segment into the list and returns their count.
func vlqs(text string, into *[5]int32) (n int, err error) {
	for ; text != ""; n++ {
		if n == len(into) {
			return 0, errNoVLQ
		}
		if into[n], text, err = vlq(text); err != nil {
			return 0, err
		}
	}
	return n, nil
}
