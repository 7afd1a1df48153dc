package rest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// Transactions runs several calls of services as one.
type Transactions interface {
	// Atomically runs do in a transaction that sees one state of Postgres. When somebody else commits a change of what do
	// writes, do runs again. What do writes is committed when it returns nil.
	Atomically(ctx context.Context, do func(context.Context) error) error
}

// Headers of RFC 9110 for changes that depend on the record's state.
const (
	headerETag    = "ETag"
	headerIfMatch = "If-Match"
)

var ifMatchParam = &huma.Param{
	Name: headerIfMatch, In: "header", Example: `"x2dQ0v3o1Jm8mCkE9b4hZQ"`,
	Description: "ETags of the record, separated by commas: the request is refused with precondition_failed when the record has " +
		"another one by now. * is any. Weak ETags never match.",
	Schema: &huma.Schema{Type: huma.TypeString},
}

var etagHeader = &huma.Param{
	Description: "Changes with the record; for If-Match.", Schema: &huma.Schema{Type: huma.TypeString}, Example: `"x2dQ0v3o1Jm8mCkE9b4hZQ"`,
}

// Versioned is a record that is patched. Its version is what its ETag is made of: all that a patch may depend on, without what
// changes by itself.
type Versioned interface{ Version() any }

// etagOf is a strong ETag: records with the same one are the same.
func etagOf(r Versioned) (string, error) {
	text, err := json.Marshal(r.Version())
	if err != nil {
		return "", fmt.Errorf("the ETag of a record: %w", err)
	}
	sum := sha256.Sum256(text)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`, nil
}

// tagged is an answer that may be a record with an ETag.
type tagged interface{ record() any }

func (o *Output[R]) record() any { return o.Body }

// setETag sets the ETag of an answer that is such a record.
func setETag(ctx context.Context, answer any) error {
	t, ok := answer.(tagged)
	if !ok {
		return nil
	}
	r, ok := t.record().(Versioned)
	if !ok {
		return nil
	}
	etag, err := etagOf(r)
	if header := CallOf(ctx).answer; err == nil && header != nil {
		header.Set(headerETag, etag)
	}
	return err
}

// current reads the record that a path names, as the caller sees it.
type current func(ctx context.Context, c *gin.Context) (Versioned, error)

// CurrentByID reads a record by the id in the path.
func CurrentByID[S, M any, R Versioned](
	service S, get func(S, context.Context, int64, int64) (M, error), render func(M) R,
) current {
	return func(ctx context.Context, c *gin.Context) (Versioned, error) {
		id, err := PathID(c, "id")
		if err != nil {
			return nil, err
		}
		m, err := get(service, ctx, ProjectOf(ctx), id)
		return render(m), err
	}
}

// PathID is a number in the path.
func PathID(c *gin.Context, name string) (int64, error) {
	id, err := strconv.ParseInt(c.Param(name), 10, 64)
	if err != nil || id < 1 {
		return 0, models.Errorf(models.CodeNotFound, "no such record: the path's %s must be a number", name)
	}
	return id, nil
}

// Conditional reports whether requests of the route may have If-Match.
func (r Route) Conditional() bool {
	return (r.Method == http.MethodPatch || r.Method == http.MethodDelete) && r.Access.Managed()
}

// errChanged is the answer to a condition that does not hold.
var errChanged = models.Errorf(models.CodePreconditionFailed,
	"the record is not the one that If-Match names: somebody changed it; read it again and decide anew")

// ifMatch carries a request out only when the record has one of the ETags of If-Match (RFC 9110, section 13.1.1). The record is
// read in the transaction of the change, which fails when somebody else changes it meanwhile, and is then tried again.
func (m *Mux) ifMatch(read current, serve gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		condition := strings.Join(c.Request.Header.Values(headerIfMatch), ",")
		tags, err := entityTags(condition)
		if err != nil {
			Fail(c, err)
			return
		}
		if condition == "" || slices.Contains(tags, "*") { // the handler answers a record that does not exist
			serve(c)
			return
		}
		if read == nil {
			Fail(c, errChanged)
			return
		}
		body, err := io.ReadAll(io.LimitReader(c.Request.Body, maxOperationBytes+1))
		if err != nil {
			Fail(c, inputError(http.StatusBadRequest, "the body could not be read to its end", []error{err}))
			return
		}
		if err := m.carryOutIf(c, tags, body, read, serve); err != nil {
			Fail(c, err)
		}
	}
}

func (m *Mux) carryOutIf(c *gin.Context, tags []string, body []byte, read current, serve gin.HandlerFunc) error {
	original, writer := c.Request, c.Writer
	defer func() { c.Request, c.Writer = original, writer }()
	ctx, cancel := context.WithTimeout(original.Context(), operationTime)
	defer cancel()
	var held *heldAnswer
	refused := &models.Error{Code: models.CodeInternal, Message: "the request is refused"}
	err := m.guards.Transactions.Atomically(ctx, func(ctx context.Context) error {
		held = NewHeldAnswer(writer)
		c.Request, c.Writer = original.WithContext(ctx), held
		c.Request.Body = io.NopCloser(bytes.NewReader(body))
		CallOf(ctx).Failure = nil
		r, err := read(ctx, c)
		if err != nil {
			return err
		}
		if etag, err := etagOf(r); err != nil {
			return err
		} else if !slices.Contains(tags, etag) {
			return errChanged
		}
		serve(c)
		switch failure := CallOf(ctx).Failure; {
		case held.Status() >= http.StatusInternalServerError && failure != nil:
			return failure // perhaps of somebody else's change: then it runs again
		case held.Status() >= http.StatusBadRequest:
			return refused
		default:
			return nil
		}
	})
	c.Request, c.Writer = original, writer
	if err == nil || errors.Is(err, refused) {
		held.Release()
		return nil
	}
	return err
}

// entityTags are the strong ETags of If-Match, or "*". Weak ones are left out: they match nothing.
func entityTags(header string) (tags []string, err error) {
	bad := Invalid(headerIfMatch, `must be * or ETags in quotes, separated by commas, such as "x2dQ0v3o1Jm8mCkE9b4hZQ"`)
	rest := strings.Trim(header, " \t,")
	if rest == "*" {
		return []string{"*"}, nil
	}
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
