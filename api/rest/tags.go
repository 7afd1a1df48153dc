package rest

// Tag is a heading for endpoints in the OpenAPI document.
type Tag struct {
	// Place orders the tags of all packages in the document, smallest first.
	Place             int
	Name, Description string
}
