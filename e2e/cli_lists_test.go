package e2e

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// A list reads as many pages as --limit needs, and says on the standard error if more records exist. The standard output has only the
// records.
func TestListsOnTheCommandLineSayThatMoreExist(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	for range 5 {
		p.branch()
	}
	all := len(p.list("/v1/ota/branches"))
	listed := func(limit int) (names []any, hint string) {
		out, hint, err := p.tryWaft(models.RoleViewer, "branches", "list", "--json", "--limit", strconv.Itoa(limit))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal([]byte(out), &names))
		return names, hint
	}
	some, hint := listed(3)
	require.Len(t, some, 3)
	require.Equal(t, "more branches exist; --limit 12 shows more\n", hint)
	whole, hint := listed(all)
	require.Len(t, whole, all)
	require.Empty(t, hint)

	// The events of devices have a fixed page size, so that a list of more than 50 needs two pages.
	release := p.release()
	for range 6 {
		events := make([]string, 10)
		for i := range events {
			events[i] = "js_error"
		}
		p.run([]string{p.name()}, release["updateUuid"], events...)
	}
	p.eventually(func() bool {
		out, _, err := p.tryWaft(models.RoleViewer, "events", "--limit", "55")
		require.NoError(t, err)
		return strings.Count(out, "\n") == 55
	})
	_, _, err := p.tryWaft(models.RoleViewer, "branches", "list", "--limit", "0")
	require.ErrorContains(t, err, "--limit must be at least 1")
}
