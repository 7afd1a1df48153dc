package device

import (
	"net/http"

	"github.com/waft-ota/waft/api/rest"
)

// Routes returns the routes for devices and OFREP clients.
func (h *Handlers) Routes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/v1/ota/manifest/{projectSlug}", Access: rest.Public,
			Serve: rest.Limited(manifestDoc, h.limitManifests, h.getManifest),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/flag-definitions/{projectSlug}", Access: rest.Public,
			Serve: rest.Limited(flagDefinitionsDoc, h.Limits.LimitRequests, rest.LimitAnswerStall(rest.AnswerStallTime), h.flagDefinitions),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/assets/{md5}", Access: rest.Public,
			Serve: rest.Plain(assetDoc, rest.LimitAnswerStall(rest.AnswerStallTime), h.getAsset),
		},
		{
			Method: http.MethodHead, Path: "/v1/ota/assets/{md5}", Access: rest.Public,
			Serve: rest.Plain(assetHeadDoc, h.getAsset),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/health-metrics", Access: rest.Public,
			Schemas: rest.SchemasOf(HealthReport{}),
			Serve:   rest.Limited(reportHealthDoc, h.limitReports, h.reportHealth),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/flag-evaluations", Access: rest.Public,
			Schemas: rest.SchemasOf(EvaluationReport{}),
			Serve:   rest.Limited(reportEvaluationsDoc, h.Limits.LimitRequests, h.reportEvaluations),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/flag-evaluations-bulk", Access: rest.Public,
			Schemas: rest.SchemasOf(BulkEvaluation{}, EvaluatedFlags{}),
			Serve:   rest.Limited(bulkDoc, h.Limits.LimitRequests, h.evaluateBulk),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/flag-stream/{projectSlug}", Access: rest.Public,
			Serve: rest.Limited(flagStreamDoc, h.Limits.LimitRequests, h.streamFlags),
		},
		{
			Method: http.MethodPost, Path: "/ofrep/v1/evaluate/flags", Access: rest.Client,
			Schemas: rest.SchemasOf(OFREPRequest{}, OFREPFlag{}, OFREPFlags{}, OFREPEventStream{}, OFREPError{}),
			Serve:   rest.Limited(ofrepBulkDoc, h.limitOFREP, h.ofrepBulk),
		},
		{
			Method: http.MethodPost, Path: "/ofrep/v1/evaluate/flags/{key}", Access: rest.Client,
			Serve: rest.Limited(ofrepDoc, h.limitOFREP, h.ofrepFlag),
		},
		{
			Method: http.MethodGet, Path: ofrepStreamPath, Access: rest.Public,
			Serve: rest.Limited(ofrepStreamDoc, h.Limits.LimitRequests, h.streamOFREP),
		},
	}
}
