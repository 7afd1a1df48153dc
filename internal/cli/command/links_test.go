package command

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
)

func TestLinksLeadToTheDashboard(t *testing.T) {
	t.Parallel()
	s := &Settings{URL: "https://ota.example.com/", Project: "demo"}
	require.Equal(t, "https://ota.example.com/app/demo/rollouts/21", s.link(RolloutPage(client.RolloutExecution{ID: 21})))
	require.Equal(t, "releases/17", ReleasePage(client.Update{ID: 17}))
	require.Equal(t, "rollouts/21", ReleasePage(client.Update{ID: 17, RolloutExecutionID: new(int64(21))}))
	require.Equal(t, "releases", PublishedPage(client.Republished{Updates: []client.Update{{ID: 17}, {ID: 18}}}))
	require.Equal(t, "rollouts/21", PublishedPage(client.Republished{Updates: []client.Update{{ID: 17, RolloutExecutionID: new(int64(21))}}}))

	pending := s.withPending(&client.PendingError{Approval: client.Approval{ID: 5}})
	var linked *LinkedError
	require.ErrorAs(t, pending, &linked)
	require.Equal(t, "https://ota.example.com/app/demo/approvals/5", linked.Link)
	s.Project = ""
	require.Equal(t, []string{"a line"}, s.WithLink([]string{"a line"}, "rollouts/21"), "no project is set")
}
