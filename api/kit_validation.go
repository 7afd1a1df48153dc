package api

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"github.com/waft-ota/waft/models"
)

// refused renders what huma found wrong with a request before a handler saw it.
// hctx is nil when huma only wants to know the shape of an error.
func refused(hctx huma.Context, status int, message string, errs []error) *Problem {
	err := refusal(status, message, errs)
	if hctx == nil {
		return &Problem{Status: status, cause: err}
	}
	return problemOf(hctx.Context(), err)
}

// refusal turns huma's status and details into an error of the contract.
func refusal(status int, message string, errs []error) error {
	joined := errors.Join(errs...)
	var tooLarge *http.MaxBytesError
	var timeout net.Error
	switch {
	case errors.As(joined, &tooLarge):
		return joined
	case status == http.StatusRequestEntityTooLarge:
		return models.Errorf(models.CodeTooLarge, "the body is larger than the %d bytes that are allowed", maxOperationBytes)
	case status == http.StatusRequestTimeout, errors.As(joined, &timeout) && timeout.Timeout():
		return models.Errorf(models.CodeInvalid, "the body did not arrive in time")
	case errors.Is(joined, io.ErrUnexpectedEOF):
		return models.Errorf(models.CodeInvalid, "the body ended before its announced length")
	case status == http.StatusUnsupportedMediaType:
		return models.Errorf(models.CodeUnsupportedMedia, "the body must be application/json")
	case status >= http.StatusInternalServerError:
		return fmt.Errorf("huma: %s: %w", message, joined)
	}
	if whole, ok := wholeBody(errs); ok {
		return models.Errorf(models.CodeInvalid, "%s", whole)
	}
	fields := fieldErrors(errs)
	if len(fields) == 0 {
		return models.Errorf(models.CodeInvalid, "%s", message)
	}
	if f, ok := pathField(errs); ok {
		return models.Errorf(models.CodeNotFound, "no such record: the path's %s %s", f.Field, f.Message)
	}
	return fields.Err()
}

// wholeBody returns the message of an error that concerns the body as such: it
// is no JSON, or no object. Nothing said of its fields is worth showing then.
func wholeBody(errs []error) (message string, ok bool) {
	for _, err := range errs {
		var d *huma.ErrorDetail
		if errors.As(err, &d) && d.Location == "body" {
			_, missing := missingProperty(d.Message)
			_, _, unheld := unheldField(d.Message)
			if !missing && !unheld {
				return "the body is not valid: " + d.Message, true
			}
		}
	}
	return "", false
}

// pathField returns the first bad part of the path: a record of such a name
// cannot exist.
func pathField(errs []error) (models.FieldError, bool) {
	for _, err := range errs {
		var d *huma.ErrorDetail
		if errors.As(err, &d) {
			if name, ok := strings.CutPrefix(d.Location, "path."); ok {
				return models.FieldError{Field: name, Message: d.Message}, true
			}
		}
	}
	return models.FieldError{}, false
}

// fieldErrors names each bad field once, in the words of the wire. The schema's
// finding comes first: the domain's about the same field would only follow from
// it.
func fieldErrors(errs []error) models.Problems {
	var problems, unknown models.Problems
	seen := map[string]bool{}
	for _, err := range errs {
		var d *huma.ErrorDetail
		if !errors.As(err, &d) {
			continue
		}
		location, message := d.Location, d.Message
		if name, ok := missingProperty(message); ok {
			location, message = location+"."+name, "is required"
		} else if field, problem, ok := unheldField(message); ok && location == "body" {
			location, message = "body."+field, problem
		}
		_, field, _ := strings.Cut(location, ".") // body., query. or header.
		if seen[field] {
			continue
		}
		seen[field] = true
		if message == validation.MsgUnexpectedProperty {
			unknown.Add(clipped(field, maxFieldName), "%s", message)
		} else {
			problems.Add(clipped(field, maxFieldName), "%s", message)
		}
	}
	// huma finds unknown fields in no order.
	slices.SortFunc(unknown, func(a, b models.FieldError) int { return strings.Compare(a.Field, b.Field) })
	return append(problems, unknown...)
}

// maxFieldName is how much is shown of the name of a bad field, in bytes.
const maxFieldName = 256

// missingProperty returns the name in huma's message about a required property;
// huma locates that message at the object around it.
func missingProperty(message string) (name string, ok bool) {
	before, after, _ := strings.Cut(validation.MsgExpectedRequiredProperty, "%s")
	rest, found := strings.CutPrefix(message, before)
	if !found {
		return "", false
	}
	return strings.CutSuffix(rest, after)
}

// bodyErrors passes the domain's findings about a body to huma, which adds them
// to its own, so that a caller learns of all bad fields at once. The Resolve methods
// of bodies call it: huma runs them after the check against the schema.
func bodyErrors(err error) []error {
	var e *models.Error
	if err == nil || !errors.As(err, &e) {
		return nil
	}
	details := make([]error, len(e.Fields))
	for i, f := range e.Fields {
		details[i] = &huma.ErrorDetail{Location: "body." + f.Field, Message: f.Message}
	}
	return details
}

// patchErrors is bodyErrors for a partial update and what was wrong with its nulls.
func patchErrors(patch interface{ Validate() error }, problems models.Problems) []error {
	return append(bodyErrors(problems.Err()), bodyErrors(patch.Validate())...)
}
