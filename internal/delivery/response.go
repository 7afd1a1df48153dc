package delivery

import (
	"net/http"

	"github.com/waft-ota/waft/models"
)

// Response is a rendered answer. What it points to is shared by every answer like
// it and must not be written to.
type Response struct {
	Status int
	Body   Body
	// Problem is set instead of Body when Status is an error; the headers belong to
	// the answer all the same.
	Problem *models.Error

	protocol, filters, storeUpdate, contentType, contentLength, signature []string
}

// Header values that do not depend on the answer.
var (
	protocolHeader  = [...][]string{{"0"}, {"1"}}
	sfvHeader       = []string{"0"}
	cacheHeader     = []string{"private, max-age=0"}
	multipartHeader = []string{multipartType}
	jsonHeader      = map[string][]string{expoJSON: {expoJSON}, plainJSON: {plainJSON}}
)

// SetHeader puts the answer's headers into h.
func (r Response) SetHeader(h http.Header) {
	h["Expo-Protocol-Version"] = r.protocol
	h["Expo-Sfv-Version"] = sfvHeader
	h["Cache-Control"] = cacheHeader
	set(h, "Expo-Manifest-Filters", r.filters)
	set(h, "Waft-Store-Update-Required", r.storeUpdate)
	set(h, "Content-Type", r.contentType)
	set(h, "Content-Length", r.contentLength)
	set(h, "Expo-Signature", r.signature)
}

// set skips a header that the answer does not have. name is in canonical form.
func set(h http.Header, name string, values []string) {
	if values != nil {
		h[name] = values
	}
}
