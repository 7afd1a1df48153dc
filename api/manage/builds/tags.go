package builds

import "github.com/waft-ota/waft/api/rest"

// TagBuilds is the tag of these endpoints in the OpenAPI document.
const TagBuilds = "Builds"

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{Place: 60, Name: TagBuilds, Description: "Uploaded bundles and assets of one runtime version and platform."},
	}
}
