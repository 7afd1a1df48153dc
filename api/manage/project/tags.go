package project

import "github.com/waft-ota/waft/api/rest"

// Names of the tags that the document lists the endpoints under.
const (
	tagProjects  = "Projects"
	tagKeys      = "API keys"
	tagSigning   = "Code signing"
	tagAudit     = "Audit log"
	tagRetention = "Retention"
)

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{Place: 20, Name: tagProjects, Description: "The tenants of an installation, managed with its root key."},
		{
			Place: 50, Name: tagKeys,
			Description: "Credentials of a project. A viewer reads, an editor also writes, an admin also manages keys. A client " +
				"only evaluates flags over OFREP; its key may stand in a web page.",
		},
		{Place: 190, Name: tagSigning, Description: "The key that signs manifests."},
		{Place: 200, Name: tagAudit, Description: "All changes to a project, with their actors."},
		{Place: 220, Name: tagRetention, Description: "Retention settings, cleanup, and deletion of device data."},
	}
}
