package insights

import "github.com/waft-ota/waft/api/rest"

// TagTelemetry is the tag that the document lists the endpoints under.
const TagTelemetry = "Telemetry"

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{Place: 210, Name: TagTelemetry, Description: "Adoption, errors and crashes of devices."},
	}
}
