package bsdiff

import "math/rand/v2"

// noise is n bytes that nothing can pack, the same for the same seed.
func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	text := make([]byte, n)
	for i := range text {
		text[i] = byte(r.Uint32())
	}
	return text
}
