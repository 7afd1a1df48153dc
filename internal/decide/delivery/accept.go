package delivery

import (
	"strings"

	"github.com/waft-ota/waft/internal/base/qvalue"
)

// Accept holds the content types that an Accept header allows.
type Accept struct {
	// Multipart reports whether the header allows multipart/mixed, the only form that carries directives. Named
	// reports whether the header names it, rather than matching it only with */*.
	Multipart, Named bool
	// JSON is the preferred content type of the single-part form, or "" if the header allows none.
	JSON string
}

// Content types of the single-part form.
const (
	expoJSON  = "application/expo+json"
	plainJSON = "application/json"
)

// stockAccept is the header of every current client.
const stockAccept = "multipart/mixed,application/expo+json,application/json"

// ParseAccept parses an Accept header. An empty header allows everything, like */*.
func ParseAccept(header string) Accept {
	switch strings.TrimSpace(header) {
	case stockAccept:
		return Accept{Multipart: true, Named: true, JSON: expoJSON}
	case "", "*/*":
		return Accept{Multipart: true, JSON: plainJSON}
	}
	multipart := matchRanges(header, "multipart", "mixed")
	expo := matchRanges(header, "application", "expo+json")
	plain := matchRanges(header, "application", "json")
	a := Accept{Multipart: multipart.quality > 0, Named: multipart.quality > 0 && multipart.specific > anyType}
	switch {
	case expo.quality > 0 && expo.specific == exactType && expo.quality >= plain.quality:
		a.JSON = expoJSON
	case plain.quality > 0:
		a.JSON = plainJSON
	case expo.quality > 0:
		a.JSON = expoJSON
	}
	return a
}

// Degrees of how precisely a media range names a type.
const (
	noType = iota
	anyType
	anySubtype
	exactType
)

// rangeMatch is the most specific media range that matches a type.
type rangeMatch struct {
	specific int
	quality  float64
}

func matchRanges(header, mainType, subtype string) (best rangeMatch) {
	for e := range qvalue.Elements(header) {
		main, sub, _ := strings.Cut(e.Name, "/")
		specific := noType
		switch {
		case main == mainType && sub == subtype:
			specific = exactType
		case main == mainType && sub == "*":
			specific = anySubtype
		case main == "*" && sub == "*":
			specific = anyType
		}
		if specific > best.specific {
			best = rangeMatch{specific: specific, quality: e.Weight}
		}
	}
	return best
}

// acceptsGzip reports whether an Accept-Encoding header allows gzip. A missing header does not allow gzip, because
// clients that cannot decode it omit the header.
func acceptsGzip(values []string) bool {
	for _, value := range values {
		switch value {
		case "gzip", "br,gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.9, deflate;q=0.8": // headers of Android and iOS
			return true
		}
		if len(value) > maxStructuredBytes {
			return false
		}
		for e := range qvalue.Elements(value) {
			if e.Name == "gzip" {
				return e.Weight > 0 && !e.Parameterized
			}
		}
	}
	return false
}
