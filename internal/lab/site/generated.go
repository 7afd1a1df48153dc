package site

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// CompareGenerated fails the test if file does not have the text of a generated page. If update is true, it writes the page into the file
// instead.
func CompareGenerated(t testing.TB, file, page string, update bool) {
	t.Helper()
	if update {
		if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	stored, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if difference := FirstDifference(string(stored), page); difference != "" {
		t.Fatalf("%s is not current: run this test with -update, which writes it\n%s", file, difference)
	}
}

// FirstDifference describes the first line in which got differs from want, or is empty.
func FirstDifference(want, got string) string {
	was, is := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(was), len(is)) {
		switch {
		case i >= len(was):
			return fmt.Sprintf("line %d is new: %s", i+1, is[i])
		case i >= len(is):
			return fmt.Sprintf("line %d is missing: %s", i+1, was[i])
		case was[i] != is[i]:
			return fmt.Sprintf("line %d is\n%s\ninstead of\n%s", i+1, is[i], was[i])
		}
	}
	return ""
}
