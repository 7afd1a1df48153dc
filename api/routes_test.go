package api

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/routes.txt")

// TestRoutesAreThoseOfTheFile compares the table of routes with testdata/routes.txt: method, path, who may call, and "asks" when the
// call may wait for approvals.
func TestRoutesAreThoseOfTheFile(t *testing.T) {
	t.Parallel()
	m := documentedRoutes(t)
	rows := slices.SortedFunc(slices.Values(m.rows), func(a, b route) int {
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.method, b.method))
	})
	var lines strings.Builder
	for _, r := range rows {
		asks := "-"
		if r.asks {
			asks = "asks"
		}
		fmt.Fprintln(&lines, r.method, r.path, r.access, asks)
	}
	const name = "testdata/routes.txt"
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(lines.String()), 0o600))
	}
	file, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(file), lines.String(), "`go test ./api -run %s -update` writes the file", t.Name())
}

// TestTheDocumentIsTheCommittedOne compares the OpenAPI document with client/openapi.json, byte for byte.
func TestTheDocumentIsTheCommittedOne(t *testing.T) {
	t.Parallel()
	document, err := OpenAPI30()
	require.NoError(t, err)
	file, err := os.ReadFile("../client/openapi.json")
	require.NoError(t, err)
	require.Equal(t, string(file), string(document), "`make generate` writes the file")
}
