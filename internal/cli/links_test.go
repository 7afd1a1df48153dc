package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
)

// page is the line with the address of a page of the test's project.
func (a *api) page(page string) string {
	return strings.Replace(a.url, "127.0.0.1", "localhost", 1) + "/app/demo/" + page + "\n"
}

func TestLinksLeadToTheDashboard(t *testing.T) {
	t.Parallel()
	s := &settings{url: "https://ota.example.com/", project: "demo"}
	require.Equal(t, "https://ota.example.com/app/demo/rollouts/21", s.link(rolloutPage(client.RolloutExecution{ID: 21})))
	require.Equal(t, "releases/17", releasePage(client.Update{ID: 17}))
	require.Equal(t, "rollouts/21", releasePage(client.Update{ID: 17, RolloutExecutionID: new(int64(21))}))
	require.Equal(t, "releases", publishedPage(client.Republished{Updates: []client.Update{{ID: 17}, {ID: 18}}}))
	require.Equal(t, "rollouts/21", publishedPage(client.Republished{Updates: []client.Update{{ID: 17, RolloutExecutionID: new(int64(21))}}}))

	pending := s.withPending(&client.PendingError{Approval: client.Approval{ID: 5}})
	require.True(t, strings.HasSuffix(message(pending), "\nhttps://ota.example.com/app/demo/approvals/5"), message(pending))
	s.project = ""
	require.Equal(t, []string{"a line"}, s.withLink([]string{"a line"}, "rollouts/21"), "nobody says which project")
}
