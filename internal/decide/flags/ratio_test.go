package flags

import (
	"encoding/json"
	"testing"

	"github.com/waft-ota/waft/internal/lab/benchratio"
)

// BenchmarkRatioDefinitions compares the rendering of a document with the parsing of the same document as JSON.
func BenchmarkRatioDefinitions(b *testing.B) {
	p := project()
	document, _, err := NewDefinitions(p, nil).Channel("production", func() {})
	if err != nil {
		b.Fatal(err)
	}
	benchratio.Compare(b, "definitions", func() {
		var read any
		if err := json.Unmarshal(document.Body, &read); err != nil {
			b.Fatal(err)
		}
	}, func() {
		if _, _, err := NewDefinitions(p, nil).Channel("production", func() {}); err != nil {
			b.Fatal(err)
		}
	})
}
