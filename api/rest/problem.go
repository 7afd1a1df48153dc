package rest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// Problem is an error response by RFC 9457, and the error type that huma uses.
type Problem struct {
	Type      string           `json:"type" doc:"URI of the kind of problem, one for each code." example:"urn:waft:problem:not_found"`
	Title     string           `json:"title" doc:"Kind of problem, always the same for a code." example:"Not found"`
	Status    int              `json:"status" doc:"HTTP status of the response." example:"404"`
	Detail    string           `json:"detail" doc:"Explanation of this problem, and how to solve it." example:"release 17 does not exist in this project"`
	Instance  string           `json:"instance" doc:"Path of the request." example:"/v1/ota/updates/17"`
	Code      models.ErrorCode `json:"code" doc:"Stable code for programs." example:"not_found"`
	RequestID string           `json:"requestId" doc:"X-Request-Id of the request; quote it when you ask for help." example:"8f14e45f-ceea-467f-9e0c-0f6c5f0e6b1a"`
	Errors    []FieldProblem   `json:"errors,omitempty" doc:"Problems of the input, one for each invalid field."`
	Goal      *RollbackGoal    `json:"goal,omitempty" doc:"With the code goal_disabled: the disabled release that the rollback would return to."`

	Unavailable models.Part `json:"unavailable,omitempty" enum:"postgres,clickhouse,temporal,worker" doc:"Part of Waft that is unavailable; absent if the code is not unavailable, or if another part is." example:"temporal"`

	header http.Header
	cause  error
}

// FieldProblem is a problem of one field of the input.
type FieldProblem struct {
	Field   string `json:"field" doc:"Path of the field." example:"stages[1].percentage"`
	Message string `json:"message" doc:"Problem of the field." example:"must be a number from 0 to 100"`
}

// problemKinds gives every error code its status and title.
var problemKinds = map[models.ErrorCode]struct {
	status int
	title  string
}{
	models.CodeInvalid:             {http.StatusBadRequest, "Invalid request"},
	models.CodeUnauthenticated:     {http.StatusUnauthorized, "Not authenticated"},
	models.CodeForbidden:           {http.StatusForbidden, "Forbidden"},
	models.CodeReauthenticate:      {http.StatusForbidden, "Signed in too long ago"},
	models.CodeNotFound:            {http.StatusNotFound, "Not found"},
	models.CodeQuotaExceeded:       {http.StatusConflict, "Quota exceeded"},
	models.CodeAlreadyExists:       {http.StatusConflict, "Already exists"},
	models.CodeInUse:               {http.StatusConflict, "In use"},
	models.CodePolicyLocked:        {http.StatusConflict, "Policy locked"},
	models.CodeApprovalPending:     {http.StatusConflict, "Approval required"},
	models.CodeRolloutInProgress:   {http.StatusConflict, "Rollout in progress"},
	models.CodeGoalDisabled:        {http.StatusConflict, "Release disabled"},
	models.CodeInvalidTransition:   {http.StatusConflict, "Invalid transition"},
	models.CodeIdempotencyMismatch: {http.StatusConflict, "Idempotency key used for another request"},
	models.CodeFilesMissing:        {http.StatusConflict, "Files missing"},
	models.CodePreconditionFailed:  {http.StatusPreconditionFailed, "Precondition failed"},
	models.CodePreconditionNeeded:  {http.StatusPreconditionRequired, "Precondition required"},
	models.CodeTooLarge:            {http.StatusRequestEntityTooLarge, "Too large"},
	models.CodeNotAcceptable:       {http.StatusNotAcceptable, "Not acceptable"},
	models.CodeUnsupportedMedia:    {http.StatusUnsupportedMediaType, "Unsupported media type"},
	models.CodeRateLimited:         {http.StatusTooManyRequests, "Too many requests"},
	models.CodeUnavailable:         {http.StatusServiceUnavailable, "Unavailable"},
	models.CodeInternal:            {http.StatusInternalServerError, "Internal error"},
	codeMethodNotAllowed:           {http.StatusMethodNotAllowed, "Method not allowed"},
	CodeNoSuchRange:                {http.StatusRequestedRangeNotSatisfiable, "Range not satisfiable"},
	codeClientClosed:               {models.StatusClientClosed, "Client closed request"},
}

// Codes of errors that concern only HTTP.
const (
	codeMethodNotAllowed models.ErrorCode = "method_not_allowed"
	CodeNoSuchRange      models.ErrorCode = "range_not_satisfiable"
	codeClientClosed     models.ErrorCode = "client_closed_request"
)

// ProblemOf returns the response to err. The caller sees only the message of a *models.Error; other errors are only
// logged.
func ProblemOf(ctx context.Context, err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	e, c := shown(err), CallOf(ctx)
	if c.left() && (e.Code == models.CodeUnavailable || errors.Is(err, context.Canceled)) {
		e = errClientClosed
	}
	kind, ok := problemKinds[e.Code]
	if !ok {
		kind = problemKinds[models.CodeInternal]
	}
	p = &Problem{
		Type: "urn:waft:problem:" + string(e.Code), Title: kind.title, Status: kind.status, Detail: e.Message,
		Instance: c.Path, Code: e.Code, RequestID: c.ID, Unavailable: e.Part, header: http.Header{}, cause: err,
	}
	if e.Goal != nil {
		p.Goal = new(GoalRecord(*e.Goal))
	}
	for _, f := range e.Fields {
		p.Errors = append(p.Errors, FieldProblem(f))
	}
	if e.Code == models.CodeUnauthenticated {
		p.header.Set("WWW-Authenticate", `Bearer realm="waft"`)
	}
	if e.Code == models.CodeUnavailable || e.Code == models.CodeRateLimited {
		retry := cmp.Or(e.RetryAfter, 2*time.Second)
		p.header.Set("Retry-After", strconv.Itoa(int(math.Ceil(retry.Seconds()))))
	}
	c.Failure = err
	return p
}

// errClientClosed is for the log and the metrics only, because the client does not receive it. An error caused by a
// client disconnect is not counted as a server error.
var errClientClosed = models.Errorf(codeClientClosed, "the client closed the connection before the response")

// shown converts any error to an error that a caller may see.
func shown(err error) *models.Error {
	var e *models.Error
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &tooLarge):
		return models.Errorf(models.CodeTooLarge, "the body is larger than %d bytes", tooLarge.Limit)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return models.Errorf(models.CodeUnavailable, "the request took too long and was cancelled; try again")
	default:
		return models.Errorf(models.CodeInternal, "something went wrong on the server; its log has the cause under this request ID")
	}
}

func (p *Problem) Error() string { return p.cause.Error() }
func (p *Problem) Unwrap() error { return p.cause }

// GetStatus returns the status of the response, which huma writes from GetStatus, GetHeaders and ContentType.
func (p *Problem) GetStatus() int            { return p.Status }
func (p *Problem) GetHeaders() http.Header   { return p.header }
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// Fail responds to a plain Gin request with err.
func Fail(c *gin.Context, err error) {
	p := ProblemOf(c.Request.Context(), err)
	body, err := json.Marshal(p)
	if err != nil {
		panic(err) // a Problem holds only strings and numbers
	}
	maps.Copy(c.Writer.Header(), p.header)
	c.Header("Cache-Control", "no-store")
	c.Data(p.Status, p.ContentType(""), body)
	c.Abort()
}

// Clipped returns text, cut to about limit bytes if it is longer. Strings from callers appear in problems and in the
// log, and may be megabytes long.
func Clipped(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return strings.ToValidUTF8(text[:limit], "\ufffd") + "…"
}

// TookEffect corrects an unavailable error, which says that the call did not change anything, if the request's
// command took effect. The command is not part of the response's transaction.
func TookEffect(ctx context.Context, err error) error {
	command := CallOf(ctx).CarriedOut
	if command == "" || models.CodeOf(err) != models.CodeUnavailable {
		return err
	}
	unread := models.Unavailable("Postgres", err)
	unread.Message = fmt.Sprintf("the %s took effect, but Postgres became unavailable before the rollout could be read again", command)
	return unread
}
