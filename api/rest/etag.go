package rest

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// Headers of RFC 9110 for changes that depend on the record's state.
const (
	headerETag    = "ETag"
	headerIfMatch = "If-Match"
)

var ifMatchParam = &huma.Param{
	Name: headerIfMatch, In: "header", Example: exampleETag,
	Description: "ETags of the record, separated by commas. The request fails with precondition_failed if the record has a " +
		"different ETag by now. * stands for any ETag. Weak ETags never match.",
	Schema: &huma.Schema{Type: huma.TypeString},
}

// requiredIfMatchParam returns the parameter of a route whose requests must have it.
func requiredIfMatchParam() *huma.Param {
	p := *ifMatchParam
	p.Required = true
	return &p
}

// errNoIfMatch refuses a request without If-Match to a route that needs it.
var errNoIfMatch = models.Errorf(models.CodePreconditionNeeded,
	"If-Match is required, because this call replaces the whole record; send the ETag of the record that you have read")

var etagHeader = &huma.Param{
	Description: "ETag of the record, for If-Match. It changes with the record.",
	Schema:      &huma.Schema{Type: huma.TypeString}, Example: exampleETag,
}

const exampleETag = `"17-3"`

// Tagged is embedded in records that can be patched.
type Tagged struct {
	// ETag changes with everything that a patch may depend on.
	ETag string `json:"-"`
}

func (t Tagged) etag() string { return t.ETag }

// versioned is a record with an ETag.
type versioned interface{ etag() string }

// answered is a response that may contain a versioned record.
type answered interface{ record() any }

func (o *Output[R]) record() any { return o.Body }

// setETag sets the ETag of a response that contains a versioned record.
func setETag(ctx context.Context, answer any) {
	a, ok := answer.(answered)
	if !ok {
		return
	}
	if r, ok := a.record().(versioned); ok {
		CallOf(ctx).answer.Set(headerETag, r.etag())
	}
}

// Conditional reports whether requests of the route may have If-Match.
func (r Route) Conditional() bool {
	return (r.Method == http.MethodPatch || r.Method == http.MethodDelete || r.NeedsIfMatch) && r.Access.Managed()
}

// ifMatch reads If-Match (RFC 9110, section 13.1.1). The store compares it with the record that it has locked for the
// change.
func (r Route) ifMatch(serve gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		sent := strings.Join(c.Request.Header.Values(headerIfMatch), ",")
		if r.NeedsIfMatch && sent == "" {
			Fail(c, errNoIfMatch)
			return
		}
		tags, err := entityTags(sent)
		if err != nil {
			Fail(c, err)
			return
		}
		CallOf(c.Request.Context()).IfMatch = tags
		serve(c)
	}
}

// entityTags returns the strong ETags of If-Match, or nil if there is no condition. It omits weak ETags, because they
// never match.
func entityTags(header string) (tags models.IfMatch, err error) {
	bad := Invalid(headerIfMatch, "must be * or ETags in quotes, separated by commas, such as "+exampleETag)
	rest := strings.Trim(header, " \t,")
	if header == "" || rest == "*" {
		return nil, nil
	}
	tags = models.IfMatch{}
	for rest != "" {
		opaque, weak := strings.CutPrefix(rest, "W/")
		if !strings.HasPrefix(opaque, `"`) {
			return nil, bad
		}
		end := strings.Index(opaque[1:], `"`)
		if end < 0 {
			return nil, bad
		}
		if !weak {
			tags = append(tags, opaque[:end+2])
		}
		after := strings.TrimLeft(opaque[end+2:], " \t")
		if after != "" && after[0] != ',' {
			return nil, bad
		}
		rest = strings.TrimLeft(after, " \t,")
	}
	return tags, nil
}
