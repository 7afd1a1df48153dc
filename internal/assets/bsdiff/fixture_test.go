package bsdiff

import "math/rand/v2"

// noise returns n bytes that cannot be compressed. They depend only on the seed.
func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	text := make([]byte, n)
	for i := range text {
		text[i] = byte(r.Uint32())
	}
	return text
}
