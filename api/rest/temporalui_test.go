package rest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestALinkToAWorkflow(t *testing.T) {
	t.Parallel()
	ui := TemporalUI{URL: "https://temporal.example.com/ui/", Namespace: "waft.a1"}
	require.Equal(t, "https://temporal.example.com/ui/namespaces/waft.a1/workflows/rollout%2F7/run-1", *ui.workflow("rollout/7", "run-1"))
	require.Equal(t, "https://temporal.example.com/ui/namespaces/waft.a1/workflows/rollout-7", *ui.workflow("rollout-7", ""))
	require.Nil(t, ui.workflow("", ""), "the rollout does not have a workflow yet")
	require.Nil(t, TemporalUI{}.workflow("rollout-7", "run-1"), "the address is not known")
}
