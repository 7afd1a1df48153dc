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

	"github.com/waft-ota/waft/api/rest"
)

var update = flag.Bool("update", false, "write testdata/routes.txt")

// TestRoutesAreThoseOfTheFile compares the table of routes with testdata/routes.txt: method, path, required access,
// and "asks" if the call may wait for approvals.
func TestRoutesAreThoseOfTheFile(t *testing.T) {
	t.Parallel()
	m := documentedRoutes(t)
	rows := slices.SortedFunc(slices.Values(m.Rows), func(a, b rest.Route) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Method, b.Method))
	})
	var lines strings.Builder
	for _, r := range rows {
		asks := "-"
		if r.Asks != "" {
			asks = "asks"
		}
		fmt.Fprintln(&lines, r.Method, r.Path, r.Access, asks)
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
