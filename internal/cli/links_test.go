package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
)

func TestLinksLeadToTheDashboard(t *testing.T) {
	t.Parallel()
	s := &settings{url: "https://ota.example.com/", project: "demo"}
	require.Equal(t, "https://ota.example.com/app/demo/rollouts/21", s.link(rolloutPage(client.RolloutExecution{ID: 21})))
	require.Equal(t, "releases/17", releasePage(client.Update{ID: 17}))
	require.Equal(t, "rollouts/21", releasePage(client.Update{ID: 17, RolloutExecutionID: new(int64(21))}))
	require.Equal(t, "releases", publishedPage(client.Republished{Updates: []client.Update{{ID: 17}, {ID: 18}}}))
	require.Equal(t, "rollouts/21", publishedPage(client.Republished{Updates: []client.Update{{ID: 17, RolloutExecutionID: new(int64(21))}}}))

	pending := s.withPending(&client.PendingError{Approval: client.Approval{ID: 5}})
	var linked *linkedError
	require.ErrorAs(t, pending, &linked)
	require.Equal(t, "https://ota.example.com/app/demo/approvals/5", linked.link)
	s.project = ""
	require.Equal(t, []string{"a line"}, s.withLink([]string{"a line"}, "rollouts/21"), "nobody says which project")
}
