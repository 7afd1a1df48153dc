package rollouts

import "github.com/waft-ota/waft/api/rest"

// Tags of the endpoints in the OpenAPI document.
const (
	tagPolicies   = "Rollout policies"
	tagExecutions = "Rollout executions"
)

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{Place: 130, Name: tagPolicies, Description: "Stages, thresholds and schedules for rollouts."},
		{Place: 140, Name: tagExecutions, Description: "Runs of a policy for one release."},
	}
}
