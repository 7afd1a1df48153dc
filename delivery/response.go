package delivery

import (
	"net/http"

	"github.com/waft-ota/waft/models"
)

// Response is a rendered answer. Its slices are shared by every answer like it and
// must not be written to.
type Response struct {
	Status int
	Header []HeaderField
	Body   []byte
	// Problem is set instead of Body when Status is an error; Header belongs to the
	// answer all the same.
	Problem *models.Error
}

// HeaderField is a response header. Name is in canonical form.
type HeaderField struct {
	Name   string
	Values []string
}

// SetHeader copies the headers into h.
func (r Response) SetHeader(h http.Header) {
	for _, f := range r.Header {
		h[f.Name] = f.Values
	}
}
