package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// hermesMagic begins every Hermes bytecode file.
var hermesMagic = []byte{0xc6, 0x1f, 0xbc, 0x03, 0xc1, 0x03, 0x19, 0x1f}

// script is size bytes that begin like Hermes bytecode, hold the label, and
// otherwise read and compress like program text.
func script(label string, size int) []byte {
	var b bytes.Buffer
	b.Grow(size + 128)
	b.Write(hermesMagic)
	fmt.Fprintf(&b, "\n// release: %s\n", label)
	// One seed for all labels: two versions of an app have most of their text in
	// common.
	random := source("script")
	for b.Len() < size {
		fmt.Fprintf(&b, "__d(function(g,r,i,a,m,e,d){var _%x=r(d[%d]);e.%s=_%x.%s(%d)},%d,[%d]);\n",
			random.Uint32(), random.IntN(9), word(random), random.Uint32(), word(random), random.IntN(1000),
			random.IntN(9000), random.IntN(9000))
	}
	return b.Bytes()[:max(size, len(hermesMagic)+len(label)+14)]
}

// picture is size bytes that begin like a PNG and do not compress.
func picture(name string, size int) []byte {
	content := []byte("\x89PNG\r\n\x1a\n")
	for random := source(name); len(content) < size; {
		content = binary.LittleEndian.AppendUint64(content, random.Uint64())
	}
	return content
}

func source(seed string) *rand.Rand {
	sum := sha256.Sum256([]byte(seed))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:8]), binary.LittleEndian.Uint64(sum[8:16])))
}

func word(r *rand.Rand) string {
	words := []string{"render", "basket", "price", "useState", "navigate", "measure", "catalogue", "onPress", "style"}
	return words[r.IntN(len(words))]
}
