package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

const overBudget = "waft_flag_evaluations_over_budget_total"

// A segment whose conditions take more steps than an evaluation may take does not have an estimate, and a metric counts
// that. A cheaper segment has an estimate.
func TestACostlySegmentHasNoEstimate(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	device, channel := uuid.NewString(), strings.Repeat("x", 100)
	p.tells(device, channel, nil, "app_launch")
	estimate := func(patterns ...string) any {
		return p.do(request{method: http.MethodPost, path: "/v1/ota/segments/estimate", key: p.keys[models.RoleViewer], body: object{
			"matchType": "all", "conditions": []object{{"attribute": "channel", "operator": "matches", "valuesJson": patterns}},
		}}).record(http.StatusOK)["estimatedDevices"]
	}
	eventually(t, func() bool { return estimate("^x+$") == 1.0 })
	require.Zero(t, p.metric(overBudget))
	costly := make([]string, 5) // each pattern takes 130,000 steps, and an evaluation may take 500,000
	for i := range costly {
		costly[i] = fmt.Sprintf("^(?:x?){430}x{430}y{%d}$", i)
	}
	eventually(t, func() bool {
		require.Nil(t, estimate(costly...))
		return p.metric(overBudget) > 0
	})
	// An estimate has a time limit, too, which a busy machine may exceed.
	eventually(t, func() bool { return estimate("^x+$") == 1.0 })
}
