package project

import "github.com/waft-ota/waft/api/rest"

// Tags of the endpoints in the OpenAPI document.
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
		{Place: 20, Name: tagProjects, Description: "Tenants of an installation, managed with its root key."},
		{
			Place: 50, Name: tagKeys,
			Description: "Credentials of a project. A viewer reads, an editor also writes, and an admin also manages keys. A " +
				"client only evaluates flags over OFREP, so its key may appear in a web page.",
		},
		{Place: 190, Name: tagSigning, Description: "The key that signs manifests."},
		{Place: 200, Name: tagAudit, Description: "All changes to a project, with their actors."},
		{Place: 220, Name: tagRetention, Description: "Retention settings, cleanup, and deletion of device data."},
	}
}
