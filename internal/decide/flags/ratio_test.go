package flags

import (
	"encoding/json"
	"testing"

	"github.com/waft-ota/waft/internal/lab/benchratio"
)

// BenchmarkRatioDefinitions is beside reading the document that it renders as JSON.
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
