package flags

import "github.com/waft-ota/waft/api/rest"

// Names of the tags that the document lists the endpoints under.
const (
	tagFlags    = "Feature flags"
	tagSegments = "Segments"
	tagContexts = "Contexts"
)

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{Place: 100, Name: tagFlags, Description: "Values that devices ask for by key, and the rules that decide them."},
		{Place: 120, Name: tagSegments, Description: "Named sets of contexts that the rules of flags refer to."},
		{Place: 170, Name: tagContexts, Description: "Users, devices and other subjects that flags are evaluated for."},
	}
}
