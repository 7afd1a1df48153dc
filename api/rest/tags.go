package rest

// Tag is a heading that the OpenAPI document lists endpoints under.
type Tag struct {
	// Place orders the tags of all packages in the document, the smallest first.
	Place             int
	Name, Description string
}
