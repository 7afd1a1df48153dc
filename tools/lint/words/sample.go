package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// sampleSize is the number of texts of each kind that sample prints.
const sampleSize = 10

// sample prints random strings, comments and paragraphs of the files, for a person to read. The same seed draws the same
// texts.
func sample(root string, files []string, seed uint64) error {
	texts := map[string][]string{} // by the suffix of their extract
	for _, path := range files {
		source, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return err
		}
		extracts, _, err := extractFrom(path, source)
		if err != nil {
			return err
		}
		for _, extracted := range extracts {
			line := 1
			for paragraph := range strings.SplitSeq(extracted.text.String(), "\n\n") {
				if isProse(paragraph) {
					text := fmt.Sprintf("%s:%d\n%s", path, extracted.line(line), strings.TrimSpace(paragraph))
					texts[extracted.suffix] = append(texts[extracted.suffix], text)
				}
				line += strings.Count(paragraph, "\n") + 2
			}
		}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	for _, kind := range []string{".string.txt", ".comment.txt", ".doc.md"} {
		fmt.Printf("# %d of %d %s, seed %d\n\n", min(sampleSize, len(texts[kind])), len(texts[kind]), kind, seed)
		random.Shuffle(len(texts[kind]), func(i, j int) { texts[kind][i], texts[kind][j] = texts[kind][j], texts[kind][i] })
		for _, text := range texts[kind][:min(sampleSize, len(texts[kind]))] {
			fmt.Println(text + "\n")
		}
	}
	return nil
}
