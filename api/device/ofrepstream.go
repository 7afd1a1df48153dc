package device

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/flagcontext"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

const (
	ofrepStreamPath = "/ofrep/v1/event-stream"
	// streamInactivity is the time in seconds after which a hidden page closes its stream. It is the default of OFREP.
	streamInactivity = 120
	// Times after which an EventSource opens a stream again that has ended, and a stream that Waft could not open. They are random, so
	// that the pages do not come back together when a process ends. OpenFeature's web provider waits for at most 30 seconds.
	reopenMin, reopenMax   = time.Second, 10 * time.Second
	refusedMin, refusedMax = 20 * time.Second, 28 * time.Second
	// behindTime is the maximum time for which an evaluation waits for the change that an event announced to its client.
	behindTime = 2 * time.Second
)

// OFREPEventStream is a stream that tells a client when to evaluate all flags again.
type OFREPEventStream struct {
	Type               string `json:"type" enum:"sse"`
	URL                string `json:"url" format:"uri" doc:"URL of the stream. Its token opens streams for one hour."`
	InactivityDelaySec int    `json:"inactivityDelaySec" minimum:"1" doc:"Time in seconds after which a hidden page closes the stream."`
}

func (OFREPEventStream) Example() any {
	return OFREPEventStream{"sse", "https://ota.example.com" + ofrepStreamPath + "?token=Zk3Q7xV0", streamInactivity}
}

var ofrepStreamDoc = huma.Operation{
	OperationID: "ofrepStreamEvents", Tags: []string{tagOFREP}, Summary: "Follow the changes of an evaluation (OFREP)",
	Description: "Server-sent events. A message `{\"type\":\"refetchEvaluation\",\"etag\":…}` tells the client to evaluate all flags " +
		"again, because the result for its context has changed. The URL comes from `eventStreams` of a bulk evaluation. " +
		"Its token is for the key, the channel and the context. A stream that " +
		"is opened again with Last-Event-ID begins with such a message. A context of more than 3 KiB is not in the token; its stream " +
		"reports every change of the channel's definitions. A comment follows every 15 seconds. The stream ends when the key is revoked " +
		"or has expired, and when the project or the channel is deleted.",
	Errors: []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusServiceUnavailable},
	Parameters: []*huma.Param{
		{
			Name: "token", In: "query", Required: true, Description: "Token from the URL in `eventStreams`.",
			Schema: &huma.Schema{Type: huma.TypeString}, Example: "Zk3Q7xV0",
		},
		rest.DeviceParam("header", "Last-Event-ID", "ID of the last event that the client got.", "4711"),
	},
	Responses: map[string]*huma.Response{"200": {
		Description: "The stream.",
		Content: rest.Content("text/event-stream", &huma.Schema{Type: huma.TypeString},
			"retry: 4200\nid: 4711\n\nid: 4712\ndata: {\"type\":\"refetchEvaluation\",\"etag\":\"\\\"4712\\\"\"}\n\n: heartbeat\n\n"),
	}},
}

// evaluated is the result of a bulk evaluation: the body of the response without its end, and the digest of the values.
type evaluated struct {
	body   []byte
	digest []byte
}

// evaluatedFlags returns the result of an evaluation of the whole set.
func evaluatedFlags(set *flags.Set, outcomes []*flags.Outcome) (e evaluated) {
	e.body = []byte(`{"flags":[`)
	for i, f := range set.Flags() {
		if i > 0 {
			e.body = append(e.body, ',')
		}
		e.body = appendOFREP(e.body, f, outcomes[i])
	}
	e.body = append(e.body, ']')
	digest := sha256.Sum256(e.body)
	e.digest = digest[:12]
	return e
}

// etag returns the ETag of the evaluation for the context and the caller. A client may keep its ETag when its context
// changes, so the ETag covers the context. A 304 has no token, so the ETag changes before the client's token is too old.
// The beginnings of these periods differ between contexts, so that clients do not come back together.
// mark is streamMark, because a client with an invalid URL has to get another one.
func (e evaluated) etag(who *rest.Caller, context, mark []byte, now time.Time) string {
	var keyID int64
	if who.Key != nil {
		keyID = who.Key.ID
	}
	about := sha256.New()
	_, _ = fmt.Fprintf(about, "%s %d %s %x %x", who.Project.UUID, keyID, context, mark, e.digest)
	begins := int64(about.Sum(nil)[0]) * int64(streamTokenRenewal.Seconds()) / 256
	_, _ = fmt.Fprintf(about, " %d", (now.Unix()+begins)/int64(streamTokenRenewal.Seconds()))
	return `"` + hex.EncodeToString(about.Sum(nil)[:12]) + `"`
}

// offerStream returns the stream of the evaluation's changes, or nil if this process cannot offer one. Calls with the
// root key get none, because their token would outlive a change of that key.
func (h *Handlers) offerStream(who *rest.Caller, e evaluated, of *flags.Context, context []byte) (*OFREPEventStream, error) {
	if h.StreamURL == "" || len(h.StreamKeys) == 0 || who.Key == nil {
		return nil, nil
	}
	t := streamToken{
		ProjectID: who.Project.ID, KeyID: who.Key.ID, KeyPrefix: who.Key.Prefix, Expires: h.Now().Add(streamTokenLife).Unix(),
		Channel: of.Channel,
	}
	if len(context) <= maxStreamContext {
		t.Context, t.Seen = context, e.digest
	}
	sealed, err := t.seal(h.StreamKeys[0])
	if err != nil {
		return nil, err
	}
	return &OFREPEventStream{"sse", h.StreamURL + ofrepStreamPath + "?token=" + url.QueryEscape(sealed), streamInactivity}, nil
}

// caughtUp returns a snapshot that has the change with the ETag of an event, or the current one if it does not come
// soon. The event may come from another process, which learned of the change earlier.
func (h *Handlers) caughtUp(ctx context.Context, s *delivery.Snapshot, etag string) (*delivery.Snapshot, error) {
	version, err := strconv.ParseInt(strings.Trim(etag, `"`), 10, 64)
	if err != nil || s.Version() >= version {
		return s, nil
	}
	ctx, cancel := context.WithTimeout(ctx, behindTime)
	defer cancel()
	for {
		changed := h.Snapshots.Changed(s.Project().ID)
		if s, err = h.Snapshots.ProjectByID(s.Project().ID); err != nil || s.Version() >= version {
			return s, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return s, nil
		}
	}
}

// ofrepWatch watches the evaluation that a token belongs to.
type ofrepWatch struct {
	*Handlers
	token *streamToken
	of    flags.Context
	// isForeign is set if a page of another origin reads the stream.
	isForeign bool
	// sent holds the evaluation that was announced last; nil if the token does not have its context.
	sent *flagStream
	// definitions is the version that was announced last, if the token does not have its context.
	definitions string
}

func (h *Handlers) streamOFREP(c *gin.Context) {
	if c.Query("token") == "" {
		rest.Fail(c, rest.Invalid("token", "is required: evaluate all flags to get a token"))
		return
	}
	stream, first, w, changed, err := h.openOFREP(c)
	c.Header("Referrer-Policy", "no-referrer")
	if err != nil {
		refuseStream(c, err)
		return
	}
	defer stream.Close()
	access.Follow(stream, append(retryAfter(reopenMin, reopenMax), first...), changed, func(struct{}, bool) ([]byte, <-chan struct{}, error) {
		changed := h.Snapshots.Changed(w.token.ProjectID)
		event, err := w.next(c.Request.Context())
		return event, changed, err
	})
}

// refuseStream responds to a request whose stream cannot be opened. An EventSource gives up after an error, and OpenFeature's web
// provider then creates another one every second. So while Waft cannot open a stream that is permitted, an EventSource gets a stream
// that ends and tells it when to come back.
func refuseStream(c *gin.Context, err error) {
	code := models.CodeOf(err)
	isTemporary := code == models.CodeRateLimited || code == models.CodeUnavailable
	switch {
	case !isTemporary:
		rest.Fail(c, errStreamToken)
	case strings.Contains(c.GetHeader("Accept"), "text/event-stream"):
		c.Header("Cache-Control", "no-store")
		c.Data(http.StatusOK, "text/event-stream", append(retryAfter(refusedMin, refusedMax), '\n'))
	default:
		rest.Fail(c, err)
	}
}

// retryAfter returns the line of a stream that tells an EventSource to wait for a random time before it opens the stream again.
func retryAfter(shortest, longest time.Duration) []byte {
	return fmt.Appendf(nil, "retry: %d\n", (shortest + rand.N(longest-shortest)).Milliseconds())
}

// openOFREP checks the token of a request. It returns the stream, its beginning and the next change.
func (h *Handlers) openOFREP(c *gin.Context) (stream *access.Stream, first []byte, w *ofrepWatch, changed <-chan struct{}, err error) {
	ctx := c.Request.Context()
	w = &ofrepWatch{Handlers: h, isForeign: rest.FromAnotherOrigin(c.Request)}
	if w.token, err = openStreamToken(c.Query("token"), h.StreamKeys, h.Now()); err != nil {
		return nil, nil, nil, nil, err
	}
	if err = w.admit(ctx); err != nil {
		return nil, nil, nil, nil, err
	}
	if w.of, err = w.token.context(); err != nil {
		return nil, nil, nil, nil, err
	}
	if stream, err = h.Gate.OpenStream(c); err != nil {
		return nil, nil, nil, nil, err
	}
	// Watching begins before the first evaluation, so that no change is missed.
	changed = h.Snapshots.Changed(w.token.ProjectID)
	s, err := h.Snapshots.ProjectByID(w.token.ProjectID)
	if err == nil {
		_, err = w.look(ctx, s)
	}
	if err != nil {
		stream.Close()
		return nil, nil, nil, nil, err
	}
	// A client that reconnects may have missed an event, or may have failed to evaluate after the last one.
	if c.GetHeader("Last-Event-ID") != "" || !w.isSeen() {
		return stream, refetchEvent(s), w, changed, nil
	}
	return stream, fmt.Appendf(nil, "id: %d\n\n", s.Version()), w, changed, nil
}

// context returns the context of the evaluation.
func (t *streamToken) context() (flags.Context, error) {
	if t.Context == nil {
		return flags.Context{Channel: t.Channel}, nil
	}
	fields, err := flagcontext.BodyObject(t.Context)
	r := flagcontext.ContextReader{Fields: fields}
	return r.Flat(), err
}

// admit returns an error if the key of the token is no longer valid.
func (w *ofrepWatch) admit(ctx context.Context) error {
	key, err := w.Gate.RecentKey(ctx, w.token.KeyPrefix)
	if err != nil {
		return err
	}
	isOther := key.ID != w.token.KeyID || key.ProjectID != w.token.ProjectID
	if isOther || w.isForeign && key.Role != models.RoleClient {
		return errStreamToken
	}
	return nil
}

// next returns an event if the evaluation has changed. Its error ends the stream. While Postgres is unavailable, the
// stream continues.
func (w *ofrepWatch) next(ctx context.Context) ([]byte, error) {
	if err := w.admit(ctx); err != nil && models.CodeOf(err) != models.CodeUnavailable {
		return nil, err
	}
	s, err := w.Snapshots.ProjectByID(w.token.ProjectID)
	if err != nil {
		return nil, err // the project was deleted
	}
	if isNew, err := w.look(ctx, s); err != nil || !isNew {
		return nil, err
	}
	return refetchEvent(s), nil
}

// look evaluates the flags of a snapshot, and reports whether the result differs from the last one.
func (w *ofrepWatch) look(ctx context.Context, s *delivery.Snapshot) (isNew bool, err error) {
	if w.token.Context == nil {
		document, err := w.Handlers.definitions(ctx, s, w.token.Channel)
		if err != nil {
			return false, err
		}
		isNew, w.definitions = document.Version != w.definitions, document.Version
		return isNew, nil
	}
	next, err := w.Handlers.look(ctx, s, w.of, w.sent)
	if err != nil {
		return false, err
	}
	isNew = w.sent == nil || len(next.since(w.sent)) > 0
	w.sent = next
	return isNew, nil
}

// isSeen reports whether the client has the current evaluation.
func (w *ofrepWatch) isSeen() bool {
	return w.sent != nil && string(evaluatedFlags(w.sent.Set, w.sent.Outcomes).digest) == string(w.token.Seen)
}

// refetchEvent tells a client to evaluate all flags again. Its ETag is the version of the project.
func refetchEvent(s *delivery.Snapshot) []byte {
	return fmt.Appendf(nil, "id: %[1]d\ndata: {\"type\":\"refetchEvaluation\",\"etag\":\"\\\"%[1]d\\\"\"}\n\n", s.Version())
}
