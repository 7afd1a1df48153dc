package rest

import "github.com/danielgtaylor/huma/v2"

// ProjectParam documents the project in a path.
var ProjectParam = &huma.Param{
	Name: "projectSlug", In: "path", Required: true, Description: "Slug or UUID of the project.",
	Schema: &huma.Schema{Type: huma.TypeString}, Example: ExampleSlug,
}

// DeviceParam documents an optional parameter.
func DeviceParam(in, name, description, example string) *huma.Param {
	return &huma.Param{
		Name: name, In: in, Description: description, Example: example, Schema: &huma.Schema{Type: huma.TypeString},
	}
}

// AnswerHeader documents a response header.
func AnswerHeader(description string) *huma.Param {
	return &huma.Param{Description: description, Schema: &huma.Schema{Type: huma.TypeString}}
}
