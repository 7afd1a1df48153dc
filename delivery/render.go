package delivery

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/waft-ota/waft/models"
)

// Header values that do not depend on the answer.
var (
	protocolHeader  = [...][]string{{"0"}, {"1"}}
	sfvHeader       = []string{"0"}
	cacheHeader     = []string{"private, max-age=0"}
	multipartHeader = []string{multipartType}
	jsonHeader      = map[string][]string{expoJSON: {expoJSON}, plainJSON: {plainJSON}}
)

// noUpdateBody is the answer for most requests.
var noUpdateBody = func() []byte {
	out, err := renderDirective(noUpdateDirective())
	if err != nil {
		panic(err) // a constant that does not render is a programming error
	}
	return out
}()

// render prepares the release's body.
func (r *release) render(m manifests) error {
	if !r.updates() {
		out, err := renderDirective(rollBackDirective(r.CreatedAt))
		r.body.multipart = out
		return err
	}
	of, err := m.of(r)
	if err != nil {
		return err
	}
	if r.body.json, err = json.Marshal(of); err != nil {
		return fmt.Errorf("manifest: %w", err)
	}
	r.body.multipart, err = frame("manifest", r.body.json)
	return err
}

// Render is the answer to r that d decided on, in the protocol version and form
// that r asks for.
func (s *Snapshot) Render(d Decision, r Request) Response {
	out := answer{request: &r, decision: &d}
	switch d.Outcome {
	case OutcomeUnknownChannel:
		return out.problem(http.StatusNotFound, models.CodeNotFound, "the project has no channel %q", r.Channel)
	case OutcomeUpdate:
		return out.manifest(d.release.body)
	case OutcomeRollbackToEmbedded:
		return out.directive(d.release.body.multipart)
	case OutcomeStoreUpdateRequired:
		return out.noUpdate(d.channel.minimum.directive)
	default:
		return out.noUpdate(noUpdateBody)
	}
}

// answer puts together one response.
type answer struct {
	request  *Request
	decision *Decision
}

// manifest serves an update, as multipart to whoever asks for that.
func (a answer) manifest(b body) Response {
	accept := a.request.Accept
	switch {
	case accept.Multipart && (accept.Named || accept.JSON == ""):
		return a.ok(multipartHeader, b.multipart)
	case accept.JSON != "":
		return a.ok(jsonHeader[accept.JSON], b.json)
	default:
		return a.notAcceptable()
	}
}

// directive serves what only protocol 1 and multipart know.
func (a answer) directive(body []byte) Response {
	switch {
	case a.request.Protocol == 0:
		return a.problem(http.StatusNotFound, models.CodeNotFound, "there is no update that protocol version 0 could express")
	case a.request.Accept.Multipart:
		return a.ok(multipartHeader, body)
	default:
		return a.notAcceptable()
	}
}

// noUpdate is the directive that says so, or 204 where JSON alone is accepted:
// that is no error to the client, so it takes the filters in.
func (a answer) noUpdate(body []byte) Response {
	accept := a.request.Accept
	switch {
	case a.request.Protocol == 0:
		return a.problem(http.StatusNotFound, models.CodeNotFound, "there is no update for this device")
	case !accept.Multipart && accept.JSON != "":
		return Response{Status: http.StatusNoContent, Header: a.header(nil)}
	default:
		return a.directive(body)
	}
}

func (a answer) ok(contentType []string, body []byte) Response {
	return Response{Status: http.StatusOK, Header: a.header(contentType), Body: body}
}

func (a answer) notAcceptable() Response {
	return a.problem(http.StatusNotAcceptable, models.CodeNotAcceptable,
		"the answer is multipart/mixed, or for an update also application/expo+json or application/json; accept one of them")
}

func (a answer) problem(status int, code models.ErrorCode, format string, args ...any) Response {
	return Response{Status: status, Header: a.header(nil), Problem: models.Errorf(code, format, args...)}
}

// header is the headers of every answer. Filters are missing only where the
// channel is unknown: then the client shall keep those it has.
func (a answer) header(contentType []string) []HeaderField {
	h := append(make([]HeaderField, 0, 6),
		HeaderField{"Expo-Protocol-Version", protocolHeader[a.request.Protocol&1]},
		HeaderField{"Expo-Sfv-Version", sfvHeader},
		HeaderField{"Cache-Control", cacheHeader},
	)
	if a.decision.filters != nil {
		h = append(h, HeaderField{"Expo-Manifest-Filters", a.decision.filters})
	}
	if a.decision.Outcome == OutcomeStoreUpdateRequired {
		h = append(h, HeaderField{"Waft-Store-Update-Required", a.decision.channel.minimum.header})
	}
	if contentType != nil {
		h = append(h, HeaderField{"Content-Type", contentType})
	}
	return h
}
