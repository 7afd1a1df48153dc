package device

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/flagcontext"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

// OFREPRequest is the body of an OFREP evaluation.
type OFREPRequest struct {
	Context map[string]any `json:"context,omitempty" doc:"Evaluation context of OpenFeature. targetingKey, or else deviceId, decides shares and user lists. channel, platform, runtimeVersion, updateUuid and deviceId are built-in attributes."`
	_       struct{}       `additionalProperties:"true"`
}

func (OFREPRequest) Example() any {
	return OFREPRequest{Context: map[string]any{"targetingKey": "user-42", "channel": "production", "plan": "pro"}}
}

// OFREPFlag is the value of a flag.
type OFREPFlag struct {
	Key     string         `json:"key"`
	Value   rest.FlagValue `json:"value" doc:"Value of the flag's type."`
	Variant string         `json:"variant,omitempty"`
	Reason  flags.Reason   `json:"reason"`
}

func (OFREPFlag) Example() any {
	return OFREPFlag{"new-checkout", rest.FlagValueOf("true"), "On", flags.ReasonSplit}
}

// OFREPFlags are the values of all flags.
type OFREPFlags struct {
	Flags        []OFREPFlag        `json:"flags"`
	EventStreams []OFREPEventStream `json:"eventStreams,omitempty" doc:"Stream of changes; absent for the root key or without a public URL."`
}

func (OFREPFlags) Example() any {
	return OFREPFlags{[]OFREPFlag{OFREPFlag{}.Example().(OFREPFlag)}, []OFREPEventStream{OFREPEventStream{}.Example().(OFREPEventStream)}}
}

// OFREPError is the error format of OFREP.
type OFREPError struct {
	Key          string `json:"key,omitempty" doc:"Key of the requested flag; absent if all flags were requested."`
	ErrorCode    string `json:"errorCode" enum:"FLAG_NOT_FOUND,PARSE_ERROR,TARGETING_KEY_MISSING,INVALID_CONTEXT,GENERAL"`
	ErrorDetails string `json:"errorDetails,omitempty"`
}

// ofrepErrors are the statuses of OFREP's errors, each with an example.
var ofrepErrors = map[string]OFREPError{
	"400": {"", "INVALID_CONTEXT", "context.targetingKey: must be a string"},
	"401": {"", "GENERAL", "a valid API key is required in the header Authorization: Bearer waft_…, or X-API-Key: waft_…"},
	"403": {"", "GENERAL", "a web page may only use a key of the role client"},
	"429": {"", "GENERAL", "too many requests; slow down"},
	"503": {"", "GENERAL", "the database is unavailable; try again"},
}

// ofrepOperation returns the documentation of an evaluation.
func ofrepOperation(id, summary, description, schema string, example any) huma.Operation {
	doc := huma.Operation{
		OperationID: id, Tags: []string{tagOFREP}, Summary: summary, Description: description,
		RequestBody: &huma.RequestBody{
			Required: true, Content: rest.RecordContent("application/json", "OFREPRequest", OFREPRequest{}.Example()),
		},
		Responses: map[string]*huma.Response{"200": {
			Description: "Result of the evaluation.", Content: rest.RecordContent("application/json", schema, example),
		}},
	}
	for status, e := range ofrepErrors {
		doc.Responses[status] = &huma.Response{Description: e.ErrorDetails, Content: rest.RecordContent("application/json", "OFREPError", e)}
	}
	return doc
}

var ofrepDoc = func() huma.Operation {
	doc := ofrepOperation("ofrepEvaluateFlag", "Evaluate a feature flag (OFREP)",
		"Implements the OpenFeature Remote Evaluation Protocol 0.3.", "OFREPFlag", OFREPFlag{}.Example())
	doc.Parameters = []*huma.Param{{
		Name: "key", In: "path", Required: true, Description: "Key of the flag.", Schema: &huma.Schema{Type: huma.TypeString},
		Example: "new-checkout",
	}}
	doc.Responses["404"] = &huma.Response{Description: "The flag does not exist.",
		Content: rest.RecordContent("application/json", "OFREPError",
			OFREPError{"new-checkout", "FLAG_NOT_FOUND", `flag "new-checkout" does not exist in this project`})}
	return doc
}()

var ofrepBulkDoc = func() huma.Operation {
	doc := ofrepOperation("ofrepEvaluateFlags", "Evaluate all feature flags (OFREP)",
		"Implements the OpenFeature Remote Evaluation Protocol 0.3. The ETag covers the values, the context and the key. It changes "+
			"every 30 minutes, so that the client gets a stream with another token.",
		"OFREPFlags", OFREPFlags{}.Example())
	doc.Parameters = []*huma.Param{
		rest.DeviceParam("header", "If-None-Match", "ETag of the client's evaluation.", `"5f0c8a7e1d2b3c4d5e6f7a8b"`),
		rest.DeviceParam("query", "flagConfigEtag", "`etag` of the event that caused the request. Waft waits until it has that change, for "+
			"at most two seconds.", `"4712"`),
		rest.DeviceParam("query", "flagConfigLastModified", "Accepted and ignored: the events do not have it.", "1771622898"),
	}
	doc.Responses["200"].Headers = map[string]*huma.Param{
		"ETag": rest.AnswerHeader("ETag, which changes with the values, with the context, and every 30 minutes."),
	}
	doc.Responses["304"] = &huma.Response{Description: "The client has the current evaluation."}
	return doc
}()

// ofrepFailure is an error with OFREP's code for it.
type ofrepFailure struct {
	code  string
	cause error
}

func (f *ofrepFailure) Error() string { return f.cause.Error() }
func (f *ofrepFailure) Unwrap() error { return f.cause }

// failOFREP sends err in the format of OFREP.
func failOFREP(c *gin.Context, err error) {
	p := rest.ProblemOf(c.Request.Context(), err)
	body := OFREPError{Key: c.Param("key"), ErrorCode: "GENERAL", ErrorDetails: p.Detail}
	if f := (*ofrepFailure)(nil); errors.As(err, &f) {
		body.ErrorCode = f.code
	}
	status := p.Status
	if status == http.StatusRequestEntityTooLarge || status == http.StatusUnsupportedMediaType {
		status = http.StatusBadRequest // OFREP does not define these statuses
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // cannot fail: the body holds only strings
	}
	maps.Copy(c.Writer.Header(), p.GetHeaders())
	c.Header("Cache-Control", "no-store")
	c.Data(status, "application/json", text)
	c.Abort()
}

// ofrepContext reads the request of an evaluation. fields are the fields of its context.
func (h *Handlers) ofrepContext(c *gin.Context) (s *delivery.Snapshot, of flags.Context, fields map[string]any, err error) {
	body, err := h.readReport(c)
	if err != nil {
		return nil, of, nil, err
	}
	invalid := func(code, format string, args ...any) error {
		return &ofrepFailure{code, models.Errorf(models.CodeInvalid, format, args...)}
	}
	request, err := flagcontext.BodyObject(body)
	if err != nil {
		return nil, of, nil, &ofrepFailure{"PARSE_ERROR", err}
	}
	r := flagcontext.ContextReader{Prefix: "context.", Fields: map[string]any{}}
	switch v := request["context"].(type) {
	case nil:
	case map[string]any:
		r.Fields = v
	default:
		return nil, of, nil, invalid("INVALID_CONTEXT", "context must be an object")
	}
	of = r.Flat()
	r.Attributes(r.Prefix, of.Attributes, len(body))
	if err := r.Problems.Err(); err != nil {
		return nil, of, nil, &ofrepFailure{"INVALID_CONTEXT", err}
	}
	s, err = h.Snapshots.ProjectByID(rest.ProjectOf(c.Request.Context()))
	if models.CodeOf(err) == models.CodeNotFound {
		err = models.Errorf(models.CodeForbidden, "the project was deleted")
	}
	if err != nil {
		return nil, of, nil, err
	}
	if s, err = h.caughtUp(c.Request.Context(), s, c.Query("flagConfigEtag")); err != nil {
		return nil, of, nil, err
	}
	if of.DeviceID != "" {
		if err := h.Limits.Requests.CheckDevice(c, of.DeviceID); err != nil {
			return nil, of, nil, err
		}
	}
	if problem := flagcontext.CheckChannel(s, of); problem != "" {
		return nil, of, nil, invalid("INVALID_CONTEXT", "context.channel: %s", problem)
	}
	of, err = flagcontext.Completed(s, of, h.Now())
	return s, of, r.Fields, err
}

func (h *Handlers) ofrepFlag(c *gin.Context) {
	s, of, _, err := h.ofrepContext(c)
	if err != nil {
		failOFREP(c, err)
		return
	}
	set := s.Flags()
	f, ok := set.Flag(c.Param("key"))
	if !ok {
		missing := models.Errorf(models.CodeNotFound, "flag %.200q does not exist in this project", c.Param("key"))
		failOFREP(c, &ofrepFailure{"FLAG_NOT_FOUND", missing})
		return
	}
	var outcome *flags.Outcome
	err = h.Limits.Evaluations.Run(c.Request.Context(), s.Project().ID, &of, func() { outcome = f.Evaluate(&of) })
	if err != nil {
		failOFREP(c, err)
		return
	}
	h.countFlags(c, s, set, &of, f.Key(), []*flags.Outcome{outcome})
	c.Header("Cache-Control", "no-store")
	c.Data(http.StatusOK, "application/json", appendOFREP(nil, f, outcome))
}

// appendOFREP appends an OFREPFlag.
func appendOFREP(dst []byte, f *flags.Flag, o *flags.Outcome) []byte {
	dst = append(dst, `{"key":"`+f.Key()+`",`...) // keys do not contain characters to escape
	return append(dst, o.JSON[1:]...)
}

func (h *Handlers) ofrepBulk(c *gin.Context) {
	s, of, fields, err := h.ofrepContext(c)
	if err != nil {
		failOFREP(c, err)
		return
	}
	set := s.Flags()
	var outcomes []*flags.Outcome
	err = h.Limits.Evaluations.Run(c.Request.Context(), s.Project().ID, &of, func() { outcomes = set.Evaluate(&of, nil) })
	if err != nil {
		failOFREP(c, err)
		return
	}
	h.countFlags(c, s, set, &of, "", outcomes)
	result, about, who := evaluatedFlags(set, outcomes), canonical(fields), &rest.CallOf(c.Request.Context()).Caller
	etag := result.etag(who, about, h.streamMark, h.Now())
	c.Header("ETag", etag)
	c.Header("Cache-Control", "no-store")
	if matchesETag(c.GetHeader("If-None-Match"), etag) {
		c.Status(http.StatusNotModified)
		return
	}
	stream, err := h.offerStream(who, result, &of, about)
	if err != nil {
		failOFREP(c, err)
		return
	}
	body := result.body
	if stream != nil {
		text, _ := json.Marshal([]*OFREPEventStream{stream}) // cannot fail: strings can always be encoded
		body = append(append(body, `,"eventStreams":`...), text...)
	}
	c.Data(http.StatusOK, "application/json", append(body, '}'))
}

// matchesETag reports whether the header If-None-Match has the tag.
func matchesETag(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		if strings.TrimPrefix(strings.TrimSpace(tag), "W/") == etag {
			return true
		}
	}
	return false
}

// errNoClientKey replaces errUnauthenticated for OFREP, which does not accept sessions.
var errNoClientKey = models.Errorf(models.CodeUnauthenticated,
	"a valid API key is required in the header Authorization: Bearer waft_…, or X-API-Key: waft_…")

// AuthorizeClient authorizes a request by its API key, of any role, which names the project. A key that was valid
// recently also works while Postgres is unavailable.
func (h *Handlers) AuthorizeClient(c *gin.Context) {
	if err := h.admitClient(c); err != nil {
		failOFREP(c, err)
	}
}

func (h *Handlers) admitClient(c *gin.Context) error {
	header := c.GetHeader("Authorization")
	if sent := c.GetHeader("X-API-Key"); header == "" && sent != "" {
		header = "Bearer " + sent
	}
	ctx := c.Request.Context()
	who := &rest.CallOf(ctx).Caller
	key, err := h.Gate.IdentifyRecent(ctx, rest.SenderOf(c), header, who)
	if errors.Is(err, access.ErrUnauthenticated) {
		return errNoClientKey
	}
	if err != nil {
		return err
	}
	if who.Role != models.RoleClient && rest.FromAnotherOrigin(c.Request) {
		return models.Errorf(models.CodeForbidden, "a web page may only use a key of the role client")
	}
	var s *delivery.Snapshot
	if who.Root {
		s, err = h.Snapshots.Project(c.GetHeader("X-Project"))
	} else {
		s, err = h.Snapshots.ProjectByID(key.ProjectID)
	}
	if models.CodeOf(err) == models.CodeNotFound {
		err = models.Errorf(models.CodeForbidden, "the root key does not belong to a project; name the project in X-Project")
	}
	if err != nil {
		return err
	}
	who.Project = s.Project()
	return nil
}

// limitOFREP applies the rate limits.
func (h *Handlers) limitOFREP(c *gin.Context) {
	if err := h.Limits.Requests.Check(c); err != nil {
		failOFREP(c, err)
	}
}
