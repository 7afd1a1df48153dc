package delivery

import (
	"net/http"

	"github.com/waft-ota/waft/models"
)

// Respond returns the response to r, in the protocol version and form that r accepts. All responses are rendered already;
// Respond only resolves r and chooses.
func (s *Snapshot) Respond(r Request) (out Response) {
	d := s.resolve(&r, nil)
	a := answer{request: &r, decision: &d, signer: s.renderer.signer}
	switch d.Outcome {
	case OutcomeUnknownChannel:
		return a.problem(http.StatusNotFound, models.CodeNotFound, "the project has no channel %q", r.Channel)
	case OutcomeUpdate:
		out = a.manifest(d.release.body)
		out.expose(d.release, models.ExposureManifest)
		return out
	case OutcomeRollbackToEmbedded:
		out = a.directive(d.release.body)
		out.expose(d.release, models.ExposureRollback)
		return out
	case OutcomeStoreUpdateRequired:
		return a.noUpdate(d.channel.minimum.directive)
	default:
		return a.noUpdate(s.noUpdate)
	}
}

// answer makes one response.
type answer struct {
	request  *Request
	decision *Decision
	signer   *signer
}

// manifest serves an update, as multipart when the client names that form.
func (a answer) manifest(b *body) Response {
	accept := a.request.Accept
	switch {
	case accept.Multipart && (accept.Named || accept.JSON == ""):
		return a.ok(multipartHeader, &b.multipart, &b.signedMultipart)
	case accept.JSON != "":
		return a.ok(jsonHeader[accept.JSON], &b.json, &b.signedJSON)
	default:
		return a.notAcceptable()
	}
}

// directive serves a directive, which only exists in protocol 1 and multipart.
func (a answer) directive(b *body) Response {
	switch {
	case a.request.Protocol == 0:
		return a.problem(http.StatusNotFound, models.CodeNotFound, "there is no update; a directive needs protocol version 1")
	case a.request.Accept.Multipart:
		return a.ok(multipartHeader, &b.multipart, &b.signedMultipart)
	default:
		return a.notAcceptable()
	}
}

// noUpdate serves the directive that there is no update, or 204 when only JSON is accepted. For
// 204 the client reads the filters, as it does not for an error, and needs no signature.
func (a answer) noUpdate(b *body) Response {
	accept := a.request.Accept
	switch {
	case a.request.Protocol == 0:
		return a.problem(http.StatusNotFound, models.CodeNotFound, "there is no update for this device")
	case !accept.Multipart && accept.JSON != "":
		return a.response(http.StatusNoContent)
	default:
		return a.directive(b)
	}
}

// ok serves the signed form to clients that expect a signature, else the plain one.
func (a answer) ok(contentType []string, plain, signed *form) Response {
	sign, problem := a.signer.wanted(a.request.ExpectSignature)
	if problem != nil {
		return a.failure(http.StatusNotAcceptable, problem)
	}
	f := plain
	if sign {
		f = signed
	}
	out := a.response(http.StatusOK)
	out.Body, out.contentType, out.contentLength, out.signature = f.body, contentType, f.length, f.signature
	if f.zipped != nil {
		out.vary = varyHeader
	}
	if a.request.Gzip {
		if zipped, length, ok := f.gzip(); ok {
			out.Body, out.contentLength, out.contentEncoding = zipped, length, gzipHeader
		}
	}
	return out
}

func (a answer) notAcceptable() Response {
	return a.problem(http.StatusNotAcceptable, models.CodeNotAcceptable,
		"the answer is multipart/mixed, or for an update also application/expo+json or application/json; accept one of them")
}

func (a answer) problem(status int, code models.ErrorCode, format string, args ...any) Response {
	return a.failure(status, models.Errorf(code, format, args...))
}

func (a answer) failure(status int, problem *models.Error) Response {
	out := a.response(status)
	out.Problem = problem
	return out
}

// response has the headers of every answer. Only for an unknown channel there are no filters, so
// that the client keeps those it has.
func (a answer) response(status int) Response {
	out := Response{
		Status: status, Refusal: a.decision.refusal, protocol: protocolHeader[a.request.Protocol&1], filters: a.decision.filters,
	}
	if a.decision.Outcome == OutcomeStoreUpdateRequired {
		out.storeUpdate = a.decision.channel.minimum.header
	}
	return out
}

// Response answers a manifest request and says what telemetry records of it. Several responses share what it points to, so
// callers must not modify that.
type Response struct {
	Status int
	Body   Body
	// Problem is set instead of Body when Status is an error. SetHeader applies to both.
	Problem *models.Error
	// Exposure is the kind of exposure to the release with the given update id (in lower case, and not an alias), "" and ""
	// when the response serves no release.
	Exposure   models.ExposureKind
	UpdateUUID string
	// Refusal says why the request is a refused request, "" when it is not one.
	Refusal models.RefusalReason

	protocol, filters, storeUpdate, contentType, contentLength, contentEncoding, vary, signature []string
}

// expose says that the response is an exposure to the release, unless it is a problem.
func (r *Response) expose(to *release, kind models.ExposureKind) {
	if r.Problem == nil {
		r.Exposure, r.UpdateUUID = kind, to.uuid
	}
}

// Header values that many answers share.
var (
	protocolHeader  = [...][]string{{"0"}, {"1"}}
	sfvHeader       = []string{"0"}
	cacheHeader     = []string{"private, max-age=0"}
	gzipHeader      = []string{"gzip"}
	varyHeader      = []string{"Accept-Encoding"}
	multipartHeader = []string{multipartType}
	jsonHeader      = map[string][]string{expoJSON: {expoJSON}, plainJSON: {plainJSON}}
)

// SetHeader sets the answer's headers in h.
func (r Response) SetHeader(h http.Header) {
	h["Expo-Protocol-Version"] = r.protocol
	h["Expo-Sfv-Version"] = sfvHeader
	h["Cache-Control"] = cacheHeader
	set(h, "Expo-Manifest-Filters", r.filters)
	set(h, "Waft-Store-Update-Required", r.storeUpdate)
	set(h, "Content-Type", r.contentType)
	set(h, "Content-Length", r.contentLength)
	set(h, "Content-Encoding", r.contentEncoding)
	set(h, "Vary", r.vary)
	set(h, "Expo-Signature", r.signature)
}

// set leaves out a header without values. name is in canonical form.
func set(h http.Header, name string, values []string) {
	if values != nil {
		h[name] = values
	}
}
