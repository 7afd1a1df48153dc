package delivery

import (
	"net/http"

	"github.com/waft-ota/waft/models"
)

// Respond returns the response to r, in the protocol version and form that r accepts. All responses are already
// rendered. Respond only resolves r and chooses a response.
func (s *Snapshot) Respond(r Request) (out Response) {
	d := s.resolve(&r, nil)
	a := answer{request: &r, decision: &d, signer: s.renderer.signer}
	switch d.Outcome {
	case OutcomeUnknownChannel:
		return a.problem(http.StatusNotFound, models.CodeNotFound,
			"channel %q does not exist in this project; create it, or correct the channel name that the app sends", r.Channel)
	case OutcomeUpdate:
		out = a.manifest(d.release.body)
		out.expose(&d, models.ExposureManifest)
		return out
	case OutcomeRollbackToEmbedded:
		out = a.directive(d.release.body)
		out.expose(&d, models.ExposureRollback)
		return out
	case OutcomeStoreUpdateRequired:
		return a.noUpdate(d.channel.minimum.directive)
	default:
		return a.noUpdate(s.noUpdate)
	}
}

// answer builds one response.
type answer struct {
	request  *Request
	decision *Decision
	signer   *signer
}

// manifest serves an update. It uses multipart if the client names that form.
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

// directive serves a directive, which exists only in protocol 1 and multipart.
func (a answer) directive(b *body) Response {
	switch {
	case a.request.Protocol == 0:
		return a.problem(http.StatusNotFound, models.CodeNotFound,
			"the response is a directive, which requires protocol version 1; send expo-protocol-version: 1")
	case a.request.Accept.Multipart:
		return a.ok(multipartHeader, &b.multipart, &b.signedMultipart)
	default:
		return a.notAcceptable()
	}
}

// noUpdate serves the directive that there is no update, or 204 if only JSON is accepted. The client reads the
// filters of a 204, but not the filters of an error, and does not expect a signature on it.
func (a answer) noUpdate(b *body) Response {
	accept := a.request.Accept
	switch {
	case a.request.Protocol == 0:
		return a.problem(http.StatusNotFound, models.CodeNotFound,
			"no update is available for this device; send expo-protocol-version: 1 to get a directive instead of this error")
	case !accept.Multipart && accept.JSON != "":
		return a.response(http.StatusNoContent)
	default:
		return a.directive(b)
	}
}

// ok serves the signed form to clients that expect a signature, otherwise the plain form.
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
		"the response is multipart/mixed, or for an update also application/expo+json or application/json; accept one of these types")
}

func (a answer) problem(status int, code models.ErrorCode, format string, args ...any) Response {
	return a.failure(status, models.Errorf(code, format, args...))
}

func (a answer) failure(status int, problem *models.Error) Response {
	out := a.response(status)
	out.Problem = problem
	return out
}

// response returns a response with the headers that every response has. A response for an unknown channel has no
// filters, so the client keeps its current filters.
func (a answer) response(status int) Response {
	out := Response{
		Status: status, Refusal: a.decision.refusal, protocol: protocolHeader[a.request.Protocol&1], filters: a.decision.filters,
	}
	if a.decision.Outcome == OutcomeStoreUpdateRequired {
		out.storeUpdate = a.decision.channel.minimum.header
	}
	return out
}

// Response is the response to a manifest request, with the data that telemetry records about it. Responses share the
// values that they point to, so callers must not modify these values.
type Response struct {
	Status int
	Body   Body
	// Problem is set instead of Body if Status is an error. SetHeader applies to both.
	Problem *models.Error
	// Exposure is the kind of exposure to the release whose own update ID (lower case, not an alias) is UpdateUUID.
	// Both are "" if the response does not serve a release.
	Exposure   models.ExposureKind
	UpdateUUID string
	// OfferChange is as in models.Exposure. It is 0 without an exposure.
	OfferChange int64
	// Refusal is the reason why the request counts as a refused request, or "".
	Refusal models.RefusalReason

	protocol, filters, storeUpdate, contentType, contentLength, contentEncoding, vary, signature []string
}

// expose marks the response as an exposure to the decision's release, unless it is a problem.
func (r *Response) expose(to *Decision, kind models.ExposureKind) {
	if r.Problem == nil {
		r.Exposure, r.UpdateUUID, r.OfferChange = kind, to.release.uuid, to.changedAt
	}
}

// Header values that many responses share.
var (
	protocolHeader  = [...][]string{{"0"}, {"1"}}
	sfvHeader       = []string{"0"}
	cacheHeader     = []string{"private, max-age=0"}
	gzipHeader      = []string{"gzip"}
	varyHeader      = []string{"Accept-Encoding"}
	multipartHeader = []string{multipartType}
	jsonHeader      = map[string][]string{expoJSON: {expoJSON}, plainJSON: {plainJSON}}
)

// SetHeader sets the response's headers in h.
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

// set sets a header unless it has no values. name is in canonical form.
func set(h http.Header, name string, values []string) {
	if values != nil {
		h[name] = values
	}
}
