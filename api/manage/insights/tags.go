package insights

import "github.com/waft-ota/waft/api/rest"

// TagTelemetry is the tag of these endpoints in the OpenAPI document.
const TagTelemetry = "Telemetry"

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{Place: 210, Name: TagTelemetry, Description: "Adoption, errors and crashes of devices."},
	}
}
