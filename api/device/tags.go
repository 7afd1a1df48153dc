package device

import "github.com/waft-ota/waft/api/rest"

// Names of the tags that the document lists the endpoints under.
const (
	tagDevices = "Devices"
	tagOFREP   = "OFREP"
)

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{Place: 10, Name: tagDevices, Description: "What installed apps ask for and report. Public."},
		{
			Place: 110, Name: tagOFREP,
			Description: "Flag evaluation by the OpenFeature Remote Evaluation Protocol 0.3, for every OpenFeature client.",
		},
	}
}
