package api

import "net/http"

// routes are the rows of flags, segments and contexts.
func (h *FlagsHandlers) routes() []route {
	return []route{
		{
			method: http.MethodGet, path: "/v1/ota/contexts", access: viewer,
			serve: operation(listContextsDoc, h.listContexts),
		},
		{
			method: http.MethodPost, path: "/v1/ota/contexts", access: editor,
			serve: operation(createContextDoc, h.createContext),
		},
		{
			method: http.MethodGet, path: "/v1/ota/contexts/kinds", access: viewer,
			serve: operation(listContextKindsDoc, h.listContextKinds),
		},
		{
			method: http.MethodGet, path: "/v1/ota/contexts/{id}", access: viewer,
			serve: operation(getContextDoc, getting(h.Contexts, Contexts.Context, contextRecord)),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/contexts/{id}", access: editor,
			current: currentByID(h.Contexts, Contexts.Context, contextRecord),
			serve:   operation(deleteContextDoc, deleting(h.Contexts, Contexts.DeleteContext)),
		},
		{
			method: http.MethodGet, path: "/v1/ota/flags", access: viewer,
			serve: operation(listFlagsDoc, h.listFlags),
		},
		{
			method: http.MethodPost, path: "/v1/ota/flags", access: editor, asks: true,
			serve: operation(createFlagDoc, creating[createFlagBody](h.Flags, Flags.CreateFlag, flagRecord)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/flags/explain", access: viewer,
			serve: operation(repeatable(explainFlagsDoc), h.explainFlags),
		},
		{
			method: http.MethodPost, path: "/v1/ota/flags/{id}/explain", access: viewer,
			serve: operation(repeatable(explainFlagDoc), h.explainFlag),
		},
		{
			method: http.MethodGet, path: "/v1/ota/flags/{id}", access: viewer,
			serve: operation(getFlagDoc, getting(h.Flags, Flags.Flag, flagRecord)),
		},
		{
			method: http.MethodPatch, path: "/v1/ota/flags/{id}", access: editor, asks: true,
			current: currentByID(h.Flags, Flags.Flag, flagRecord),
			serve:   operation(patchFlagDoc, patching[patchFlagBody](h.Flags, Flags.UpdateFlag, flagRecord)),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/flags/{id}", access: editor, asks: true,
			current: currentByID(h.Flags, Flags.Flag, flagRecord),
			serve:   operation(deleteFlagDoc, deleting(h.Flags, Flags.DeleteFlag)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/flags/{id}/rules", access: editor, asks: true,
			serve: operation(createRuleDoc, h.createRule),
		},
		{
			method: http.MethodPut, path: "/v1/ota/flags/{id}/rules/order", access: editor, asks: true,
			serve: operation(orderRulesDoc, h.orderRules),
		},
		{
			method: http.MethodPost, path: "/v1/ota/flags/{id}/copy", access: editor, asks: true,
			serve: operation(copyFlagDoc, h.copyFlag),
		},
		{
			method: http.MethodPatch, path: "/v1/ota/flags/{id}/rules/{ruleId}", access: editor, asks: true,
			current: h.currentRule,
			serve:   operation(patchRuleDoc, h.patchRule),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/flags/{id}/rules/{ruleId}", access: editor, asks: true,
			current: h.currentRule,
			serve:   operation(deleteRuleDoc, h.deleteRule),
		},
		{
			method: http.MethodPatch, path: "/v1/ota/flags/{id}/variations/{variationId}", access: editor, asks: true,
			current: h.currentVariation,
			serve:   operation(patchVariationDoc, h.patchVariation),
		},
		{
			method: http.MethodPatch, path: "/v1/ota/flags/{id}/env/{channelName}", access: editor, asks: true, channelKeys: true,
			current: h.currentEnvironment,
			serve:   operation(patchEnvironmentDoc, h.patchEnvironment),
		},
		{
			method: http.MethodGet, path: "/v1/ota/segments", access: viewer,
			serve: operation(listSegmentsDoc, h.listSegments),
		},
		{
			method: http.MethodPost, path: "/v1/ota/segments", access: editor,
			serve: operation(createSegmentDoc, h.createSegment),
		},
		{
			method: http.MethodPost, path: "/v1/ota/segments/estimate", access: viewer,
			serve: operation(repeatable(estimateSegmentDoc), h.estimateSegment),
		},
		{
			method: http.MethodGet, path: "/v1/ota/segments/{id}", access: viewer,
			serve: operation(getSegmentDoc, h.getSegment),
		},
		{
			method: http.MethodPatch, path: "/v1/ota/segments/{id}", access: editor, asks: true,
			current: currentByID(h.Segments, Segments.Segment, segmentRecord),
			serve:   operation(patchSegmentDoc, h.patchSegment),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/segments/{id}", access: editor,
			current: currentByID(h.Segments, Segments.Segment, segmentRecord),
			serve:   operation(deleteSegmentDoc, deleting(h.Segments, Segments.DeleteSegment)),
		},
		{
			method: http.MethodGet, path: "/v1/ota/flags/{id}/evaluations", access: viewer,
			serve: operation(flagEvaluationsDoc, h.flagEvaluations),
		},
		{
			method: http.MethodGet, path: "/v1/ota/flags/{id}/health", access: viewer,
			serve: operation(flagHealthDoc, h.flagHealth),
		},
		{
			method: http.MethodGet, path: "/v1/ota/telemetry/flag-impacts", access: viewer,
			serve: operation(flagImpactsDoc, h.flagImpacts),
		},
	}
}
