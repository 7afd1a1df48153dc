package approvals

import "github.com/waft-ota/waft/api/rest"

// tagApprovals is the tag of these endpoints in the OpenAPI document.
const tagApprovals = "Approvals"

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{Place: 150, Name: tagApprovals, Description: "Calls that affect protected channels and wait for approval."},
	}
}
