package device

import "github.com/waft-ota/waft/api/rest"

// Tags of the endpoints in the OpenAPI document.
const (
	tagDevices = "Devices"
	tagOFREP   = "OFREP"
)

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{Place: 10, Name: tagDevices, Description: "Public endpoints for installed apps: updates, flags and reports."},
		{
			Place: 110, Name: tagOFREP,
			Description: "Flag evaluation with the OpenFeature Remote Evaluation Protocol 0.3, for every OpenFeature client.",
		},
	}
}
