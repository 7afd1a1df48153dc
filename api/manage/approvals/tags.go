package approvals

import "github.com/waft-ota/waft/api/rest"

// tagApprovals is the tag that the document lists the endpoints under.
const tagApprovals = "Approvals"

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{Place: 150, Name: tagApprovals, Description: "Calls about protected channels that wait until people approve them."},
	}
}
