package flags

import (
	"net/http"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/rest"
)

// Routes returns the routes of flags, segments and contexts.
func (h *Handlers) Routes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/v1/ota/contexts", Access: rest.Viewer,
			Serve: rest.Operation(listContextsDoc, h.listContexts),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/contexts", Access: rest.Editor,
			Serve: rest.Operation(createContextDoc, h.createContext),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/contexts/kinds", Access: rest.Viewer,
			Serve: rest.Operation(listContextKindsDoc, h.listContextKinds),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/contexts/attributes", Access: rest.Viewer,
			Serve: rest.Operation(listContextAttributesDoc, h.listContextAttributes),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/contexts/{id}", Access: rest.Viewer,
			Serve: rest.Operation(getContextDoc, rest.Getting(h.Contexts, Contexts.Context, ContextRecord)),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/contexts/{id}", Access: rest.Editor,
			Serve: rest.Operation(deleteContextDoc, rest.Deleting(h.Contexts, Contexts.DeleteContext)),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/flags", Access: rest.Viewer,
			Serve: rest.Operation(listFlagsDoc, h.listFlags),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/flags", Access: rest.Editor,
			Asks:  operations.CreateFlag.Name(),
			Serve: rest.Operation(createFlagDoc, rest.CreatingBy[createFlagBody](h.Operations, operations.CreateFlag, flagRecord)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/flags/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewCreateDoc, h.previewCreate),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/flags/explain", Access: rest.Viewer,
			Serve: rest.Operation(rest.Repeatable(explainFlagsDoc), h.explainFlags),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/flags/{id}/explain", Access: rest.Viewer,
			Serve: rest.Operation(rest.Repeatable(explainFlagDoc), h.explainFlag),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/flags/{id}", Access: rest.Viewer,
			Serve: rest.Operation(getFlagDoc, rest.Getting(h.Flags, Flags.Flag, flagRecord)),
		},
		{
			Method: http.MethodPatch, Path: "/v1/ota/flags/{id}", Access: rest.Editor,
			Asks:  operations.PatchFlag.Name(),
			Serve: rest.Operation(patchFlagDoc, rest.PatchingBy[patchFlagBody](h.Operations, operations.PatchFlag, flagRecord)),
		},
		{
			Method: http.MethodPut, Path: "/v1/ota/flags/{id}", Access: rest.Editor,
			Asks: operations.SaveFlag.Name(), NeedsIfMatch: true,
			Serve: rest.Operation(saveFlagDoc, h.saveFlag),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/flags/{id}/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewSaveDoc, h.previewSave),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/flags/{id}/schedule", Access: rest.Viewer,
			Serve: rest.Operation(listFlagSchedulesDoc, h.listFlagSchedules),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/flags/{id}/schedule", Access: rest.Editor,
			Asks: operations.ScheduleFlag.Name(), NeedsIfMatch: true,
			Serve: rest.Operation(scheduleFlagDoc, h.scheduleFlag),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/flags/{id}/schedule/{scheduleId}", Access: rest.Editor,
			Serve: rest.Operation(cancelFlagScheduleDoc, h.cancelFlagSchedule),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/flags/{id}", Access: rest.Editor,
			Asks:  operations.DeleteFlag.Name(),
			Serve: rest.Operation(deleteFlagDoc, rest.DeletingBy(h.Operations, operations.DeleteFlag)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/flags/{id}/delete/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewDeleteDoc, h.previewDelete),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/flags/{id}/rules", Access: rest.Editor,
			Asks:  operations.CreateRule.Name(),
			Serve: rest.Operation(createRuleDoc, h.createRule),
		},
		{
			Method: http.MethodPut, Path: "/v1/ota/flags/{id}/rules/order", Access: rest.Editor,
			Asks:  operations.OrderRules.Name(),
			Serve: rest.Operation(orderRulesDoc, h.orderRules),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/flags/{id}/copy", Access: rest.Editor,
			Asks:  operations.CopyFlag.Name(),
			Serve: rest.Operation(copyFlagDoc, h.copyFlag),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/flags/{id}/copy/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewCopyDoc, h.previewCopy),
		},
		{
			Method: http.MethodPatch, Path: "/v1/ota/flags/{id}/rules/{ruleId}", Access: rest.Editor,
			Asks:  operations.PatchRule.Name(),
			Serve: rest.Operation(patchRuleDoc, h.patchRule),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/flags/{id}/rules/{ruleId}", Access: rest.Editor,
			Asks:  operations.DeleteRule.Name(),
			Serve: rest.Operation(deleteRuleDoc, h.deleteRule),
		},
		{
			Method: http.MethodPatch, Path: "/v1/ota/flags/{id}/variations/{variationId}", Access: rest.Editor,
			Asks:  operations.PatchVariation.Name(),
			Serve: rest.Operation(patchVariationDoc, h.patchVariation),
		},
		{
			Method: http.MethodPatch, Path: "/v1/ota/flags/{id}/env/{channelName}", Access: rest.Editor,
			Asks: operations.PatchEnvironment.Name(), ChannelKeys: true,
			Serve: rest.Operation(patchEnvironmentDoc, h.patchEnvironment),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/flags/{id}/env/{channelName}/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewEnvironmentDoc, h.previewEnvironment),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/segments", Access: rest.Viewer,
			Serve: rest.Operation(listSegmentsDoc, h.listSegments),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/segments", Access: rest.Editor,
			Serve: rest.Operation(createSegmentDoc, h.createSegment),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/segments/estimate", Access: rest.Viewer,
			Serve: rest.Operation(rest.Repeatable(estimateSegmentDoc), h.estimateSegment),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/segments/{id}", Access: rest.Viewer,
			Serve: rest.Operation(getSegmentDoc, h.getSegment),
		},
		{
			Method: http.MethodPatch, Path: "/v1/ota/segments/{id}", Access: rest.Editor,
			Asks:  operations.PatchSegment.Name(),
			Serve: rest.Operation(patchSegmentDoc, h.patchSegment),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/segments/{id}/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewSegmentDoc, h.previewSegment),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/segments/{id}", Access: rest.Editor,
			Serve: rest.Operation(deleteSegmentDoc, rest.Deleting(h.Segments, Segments.DeleteSegment)),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/flags/{id}/evaluations", Access: rest.Viewer,
			Serve: rest.Operation(flagEvaluationsDoc, h.flagEvaluations),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/flags/{id}/health", Access: rest.Viewer,
			Serve: rest.Operation(flagHealthDoc, h.flagHealth),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/telemetry/flag-impacts", Access: rest.Viewer,
			Serve: rest.Operation(flagImpactsDoc, h.flagImpacts),
		},
	}
}
