package api

import "github.com/danielgtaylor/huma/v2"

// projectParam documents the project in a path.
var projectParam = &huma.Param{
	Name: "projectSlug", In: "path", Required: true, Description: "Slug or UUID of the project.",
	Schema: &huma.Schema{Type: huma.TypeString}, Example: exampleSlug,
}

// deviceParam documents an optional parameter.
func deviceParam(in, name, description, example string) *huma.Param {
	return &huma.Param{
		Name: name, In: in, Description: description, Example: example, Schema: &huma.Schema{Type: huma.TypeString},
	}
}

// answerHeader documents a header of an answer.
func answerHeader(description string) *huma.Param {
	return &huma.Param{Description: description, Schema: &huma.Schema{Type: huma.TypeString}}
}
