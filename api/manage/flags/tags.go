package flags

import "github.com/waft-ota/waft/api/rest"

// Tags of the endpoints in the OpenAPI document.
const (
	tagFlags    = "Feature flags"
	tagSegments = "Segments"
	tagContexts = "Contexts"
)

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{Place: 100, Name: tagFlags, Description: "Values that devices ask for by key, and the rules that select them."},
		{Place: 120, Name: tagSegments, Description: "Named sets of contexts that the rules of flags refer to."},
		{Place: 170, Name: tagContexts, Description: "Users, devices and other subjects that flags are evaluated for."},
	}
}
