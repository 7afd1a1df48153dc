package delivery

import (
	"net/http"

	"github.com/waft-ota/waft/models"
)

// Render is the answer to r that d decided on, in the protocol version and form
// that r asks for. Everything in it is ready; Render only chooses.
func (s *Snapshot) Render(d Decision, r Request) Response {
	out := answer{request: &r, decision: &d, signer: s.renderer.signer}
	switch d.Outcome {
	case OutcomeUnknownChannel:
		return out.problem(http.StatusNotFound, models.CodeNotFound, "the project has no channel %q", r.Channel)
	case OutcomeUpdate:
		return out.manifest(d.release.body)
	case OutcomeRollbackToEmbedded:
		return out.directive(d.release.body)
	case OutcomeStoreUpdateRequired:
		return out.noUpdate(d.channel.minimum.directive)
	default:
		return out.noUpdate(s.noUpdate)
	}
}

// answer puts together one response.
type answer struct {
	request  *Request
	decision *Decision
	signer   *signer
}

// manifest serves an update, as multipart to whoever asks for that.
func (a answer) manifest(b *body) Response {
	accept := a.request.Accept
	switch {
	case accept.Multipart && (accept.Named || accept.JSON == ""):
		return a.multipart(b)
	case accept.JSON != "":
		return a.json(b)
	default:
		return a.notAcceptable()
	}
}

// directive serves what only protocol 1 and multipart know.
func (a answer) directive(b *body) Response {
	switch {
	case a.request.Protocol == 0:
		return a.problem(http.StatusNotFound, models.CodeNotFound, "there is no update that protocol version 0 could express")
	case a.request.Accept.Multipart:
		return a.multipart(b)
	default:
		return a.notAcceptable()
	}
}

// noUpdate is the directive that says so, or 204 where JSON alone is accepted:
// that is no error to the client, so it takes the filters in, and needs no
// signature.
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

func (a answer) multipart(b *body) Response {
	return a.ok(multipartHeader, &b.multipart, &b.signedMultipart)
}

func (a answer) json(b *body) Response {
	return a.ok(jsonHeader[a.request.Accept.JSON], &b.json, &b.signedJSON)
}

// ok serves one of two forms, signed to those clients that expect it.
func (a answer) ok(contentType []string, plain, signed *form) Response {
	sign, problem := a.signer.wanted(a.request.ExpectSignature)
	if problem != nil {
		return a.refusal(http.StatusNotAcceptable, problem)
	}
	f := plain
	if sign {
		f = signed
	}
	out := a.response(http.StatusOK)
	out.Body, out.contentType, out.contentLength, out.signature = f.body, contentType, f.length, f.signature
	return out
}

func (a answer) notAcceptable() Response {
	return a.problem(http.StatusNotAcceptable, models.CodeNotAcceptable,
		"the answer is multipart/mixed, or for an update also application/expo+json or application/json; accept one of them")
}

func (a answer) problem(status int, code models.ErrorCode, format string, args ...any) Response {
	return a.refusal(status, models.Errorf(code, format, args...))
}

func (a answer) refusal(status int, problem *models.Error) Response {
	out := a.response(status)
	out.Problem = problem
	return out
}

// response has the headers of every answer. Filters are missing only where the
// channel is unknown: then the client shall keep those it has.
func (a answer) response(status int) Response {
	out := Response{Status: status, protocol: protocolHeader[a.request.Protocol&1], filters: a.decision.filters}
	if a.decision.Outcome == OutcomeStoreUpdateRequired {
		out.storeUpdate = a.decision.channel.minimum.header
	}
	return out
}
