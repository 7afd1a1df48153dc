package api

import "net/http"

// routes are the rows of what devices and OFREP clients call.
func (h *DeviceHandlers) routes() []route {
	return []route{
		{
			method: http.MethodGet, path: "/v1/ota/manifest/{projectSlug}", access: public,
			serve: limited(manifestDoc, h.limitManifests, h.getManifest),
		},
		{
			method: http.MethodGet, path: "/v1/ota/flag-definitions/{projectSlug}", access: public,
			serve: limited(flagDefinitionsDoc, h.Limits.limitRequests, limitAnswerStall(answerStallTime), h.flagDefinitions),
		},
		{
			method: http.MethodGet, path: "/v1/ota/assets/{md5}", access: public,
			serve: plain(assetDoc, limitAnswerStall(answerStallTime), h.getAsset),
		},
		{
			method: http.MethodHead, path: "/v1/ota/assets/{md5}", access: public,
			serve: plain(assetHeadDoc, h.getAsset),
		},
		{
			method: http.MethodPost, path: "/v1/ota/health-metrics", access: public,
			schemas: schemasOf(HealthReport{}),
			serve:   limited(reportHealthDoc, h.limitReports, h.reportHealth),
		},
		{
			method: http.MethodPost, path: "/v1/ota/flag-evaluations", access: public,
			schemas: schemasOf(EvaluationReport{}),
			serve:   limited(reportEvaluationsDoc, h.Limits.limitRequests, h.reportEvaluations),
		},
		{
			method: http.MethodPost, path: "/v1/ota/flag-evaluations-bulk", access: public,
			schemas: schemasOf(BulkEvaluation{}, EvaluatedFlags{}),
			serve:   limited(bulkDoc, h.Limits.limitRequests, h.evaluateBulk),
		},
		{
			method: http.MethodGet, path: "/v1/ota/flag-stream/{projectSlug}", access: public,
			serve: limited(flagStreamDoc, h.Limits.limitRequests, h.streamFlags),
		},
		{
			method: http.MethodPost, path: "/ofrep/v1/evaluate/flags", access: client,
			schemas: schemasOf(OFREPRequest{}, OFREPFlag{}, OFREPFlags{}, OFREPError{}),
			serve:   limited(ofrepBulkDoc, h.limitOFREP, h.ofrepBulk),
		},
		{
			method: http.MethodPost, path: "/ofrep/v1/evaluate/flags/{key}", access: client,
			serve: limited(ofrepDoc, h.limitOFREP, h.ofrepFlag),
		},
	}
}
