package releases

import "github.com/waft-ota/waft/api/rest"

// Tags of the endpoints in the OpenAPI document.
const (
	TagUpdates   = "Updates"
	tagBranches  = "Branches"
	TagChannels  = "Channels"
	TagOverrides = "User overrides"
)

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{Place: 70, Name: TagUpdates, Description: "Releases: builds published to a branch."},
		{Place: 80, Name: tagBranches, Description: "Named, ordered lists of releases."},
		{Place: 90, Name: TagChannels, Description: "Names that devices ask for updates on. A channel points to a branch."},
		{Place: 160, Name: TagOverrides, Description: "Rules that serve a user from a given branch."},
	}
}
