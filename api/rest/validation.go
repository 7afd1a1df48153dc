package rest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// init configures Gin and huma, which keep their mode, error type and messages in package variables.
func init() {
	gin.SetMode(gin.ReleaseMode)
	huma.ValidateStrictCasing = true  // the field "Name" is unknown where "name" exists
	huma.DefaultArrayNullable = false // lists are never null
	validation.MsgUnexpectedProperty = "is not a known field"
	validation.MsgExpectedRequiredProperty = ".%s" + fieldMark + "is required"
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return &Problem{Status: status, cause: inputError(status, message, errs)}
	}
	huma.NewErrorWithContext = func(hctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		return ProblemOf(hctx.Context(), inputError(status, message, errs))
	}
}

// inputError converts the problems that huma found in a request.
func inputError(status int, message string, errs []error) error {
	joined := errors.Join(errs...)
	var tooLarge *http.MaxBytesError
	var timeout net.Error
	switch {
	case errors.As(joined, &tooLarge):
		return joined
	case status == http.StatusRequestEntityTooLarge:
		return models.Errorf(models.CodeTooLarge, "the body exceeds the maximum of %d bytes", maxOperationBytes)
	case status == http.StatusRequestTimeout, errors.As(joined, &timeout) && timeout.Timeout():
		return models.Errorf(models.CodeInvalid, "the body did not arrive in time")
	case errors.Is(joined, io.ErrUnexpectedEOF):
		return models.Errorf(models.CodeInvalid, "the body ended before its announced length")
	case status == http.StatusUnsupportedMediaType:
		return models.Errorf(models.CodeUnsupportedMedia, "the body must be application/json")
	case status >= http.StatusInternalServerError:
		return fmt.Errorf("huma: %s: %w", message, joined)
	}
	return cmp.Or(fieldErrors(errs), error(models.Errorf(models.CodeInvalid, "%s", message)))
}

// fieldErrors returns an error that names each bad field once. A message from the schema replaces a message from the
// domain, which would only follow from it. For a body that is not a JSON object, the error does not name fields. A
// bad field in the path means that the record cannot exist. Without any bad fields fieldErrors returns nil.
func fieldErrors(errs []error) error {
	var problems, unknown models.Problems
	var notFound error
	seen := map[string]bool{}
	for _, err := range errs {
		var d *huma.ErrorDetail
		if !errors.As(err, &d) {
			continue
		}
		location, message := d.Location, d.Message
		if field, rest, ok := strings.Cut(message, fieldMark); ok {
			location, message = location+field, rest
		} else if location == "body" {
			return models.Errorf(models.CodeInvalid, "the body is not valid: %s", message)
		}
		in, field, _ := strings.Cut(location, ".") // body, query, header or path
		if rest, ok := strings.CutPrefix(location, "body["); ok {
			in, field = "body", "["+rest // of a list
		}
		if in == "path" && notFound == nil {
			notFound = models.Errorf(models.CodeNotFound, "no such record: %s in the path %s", field, message)
		}
		if seen[field] {
			continue
		}
		seen[field] = true
		if message == validation.MsgUnexpectedProperty {
			unknown.Add(Clipped(field, MaxFieldName), "%s", message)
		} else {
			problems.Add(Clipped(field, MaxFieldName), "%s", message)
		}
	}
	if notFound != nil {
		return notFound
	}
	// huma finds unknown fields in random order.
	slices.SortFunc(unknown, func(a, b models.FieldError) int { return strings.Compare(a.Field, b.Field) })
	return append(problems, unknown...).Err()
}

// MaxFieldName is the maximum length in bytes of a bad field's name in a response.
const MaxFieldName = 256

// fieldMark separates a field from its problem, in messages of Waft to which huma adds the location of the enclosing
// object. huma keeps only the text of an error (ADR 40).
const fieldMark = "\x00"

// BodyErrors returns the domain's errors about a body, for its Resolve method. huma adds them to the schema's errors,
// so that a caller gets all bad fields in one response.
func BodyErrors(err error) []error { return InputErrors("body", err) }

// InputErrors returns the domain's errors like BodyErrors, for the body or the query.
func InputErrors(in string, err error) []error {
	var e *models.Error
	if !errors.As(err, &e) {
		return nil
	}
	details := make([]error, len(e.Fields))
	for i, f := range e.Fields {
		details[i] = &huma.ErrorDetail{Location: in + "." + f.Field, Message: f.Message}
	}
	return details
}

// PatchErrors returns the domain's errors about a partial update, including the problems of its null fields.
func PatchErrors(patch interface{ Validate() error }, problems models.Problems) []error {
	return append(BodyErrors(problems.Err()), BodyErrors(patch.Validate())...)
}

// UnmarshalJSON decodes a body. Its errors do not mention Go types.
func UnmarshalJSON(data []byte, v any) error {
	if !utf8.Valid(data) {
		return errors.New("it is not valid UTF-8") // encoding/json would replace bytes by U+FFFD
	}
	err := json.Unmarshal(data, v)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("malformed JSON at byte %d: %s", syntax.Offset, strings.TrimPrefix(syntax.Error(), "json: "))
	case errors.As(err, &wrong):
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber()
		if field, _ := pathTo(decoder, wrong.Offset); field != "" {
			return fmt.Errorf("%s%scannot hold the %.100s", field, fieldMark, wrong.Value)
		}
		return fmt.Errorf("it cannot be the %.100s", wrong.Value)
	}
	return err
}

// pathTo reads one value of valid JSON. It reports whether the offset is in the value, and returns the path to it,
// such as .stages[1].percentage.
func pathTo(decoder *json.Decoder, offset int64) (path string, found bool) {
	token, err := decoder.Token()
	if err != nil || decoder.InputOffset() >= offset {
		return "", true
	}
	opening, nested := token.(json.Delim)
	if !nested {
		return "", false
	}
	var step string
	for i := 0; decoder.More(); i++ {
		step = fmt.Sprintf("[%d]", i)
		if opening == '{' {
			name, _ := decoder.Token()
			step = fmt.Sprintf(".%s", name)
		}
		if rest, found := pathTo(decoder, offset); found {
			return step + rest, true
		}
	}
	_, _ = decoder.Token() // the closing bracket, which may count as a part of the last value
	return step, decoder.InputOffset() >= offset
}

// checkText rejects a path or query that is not valid UTF-8. net/url drops malformed pairs of a query, and without
// its filter a list would contain all records.
func checkText(c *gin.Context) {
	for _, p := range c.Params {
		if !models.IsText(p.Value) {
			Fail(c, models.Errorf(models.CodeNotFound, "no such record: %s in the path is not valid UTF-8", p.Key))
			return
		}
	}
	if c.Request.URL.RawQuery == "" {
		return
	}
	query, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		Fail(c, models.Errorf(models.CodeInvalid,
			"the query is malformed: pairs of name=value are separated by &, and %% is followed by two hex digits"))
		return
	}
	var problems models.Problems
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !models.IsText(name) {
			// In a response, names that are not valid UTF-8 would all look the same.
			problems.Add(fmt.Sprintf("%+q", name), "must be valid UTF-8 without NUL characters")
		} else if slices.ContainsFunc(query[name], func(v string) bool { return !models.IsText(v) }) {
			problems.Add(name, "must be valid UTF-8 without NUL characters")
		}
	}
	if err := problems.Err(); err != nil {
		Fail(c, err)
	}
}

// Invalid returns a CodeInvalid error about one field.
func Invalid(field, format string, args ...any) error {
	var p models.Problems
	p.Add(field, format, args...)
	return p.Err()
}

// Unreadable returns the error for a body that did not arrive as announced.
func Unreadable(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	e := models.Errorf(models.CodeInvalid, "the body could not be read to its end")
	e.Cause = err
	return e
}
