package e2e

import (
	"net/http"
	"testing"

	"github.com/open-feature/go-sdk-contrib/providers/ofrep"
	"github.com/open-feature/go-sdk/openfeature"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// sdkFlags are flags of every type in a project, for tests of OpenFeature's SDKs.
type sdkFlags struct {
	*tenant
	limit, layout int64
	// update is a release that links the flag layout.
	update string
}

func newSDKFlags(t *testing.T) sdkFlags {
	t.Helper()
	p := install(t).tenant(t)
	p.known()
	p.create("/v1/ota/segments", object{"key": "pros", "name": "Pros", "matchType": "all", "conditions": []object{
		{"attribute": "plan", "operator": "in", "valuesJson": []string{"pro", "team"}},
	}})
	flag := func(body object, rules ...object) int64 {
		id := p.create("/v1/ota/flags", body).id("id")
		for _, rule := range rules {
			p.create(path("/v1/ota/flags/%d/rules", id), rule)
		}
		return id
	}
	half := object{"ruleType": "percentage_rollout", "ruleConfig": object{"rollout": []object{{"variantValue": "true", "weight": 50}}}}
	flag(object{"key": "dark", "flagType": "boolean", "defaultValue": false},
		object{"ruleType": "user_list", "ruleConfig": object{"userIds": "ada"}, "variantValue": "true"})
	flag(object{"key": "half", "flagType": "boolean", "defaultValue": false}, half)
	flag(object{"key": "off", "flagType": "boolean", "defaultValue": false, "enabled": false})
	flag(object{"key": "colour", "flagType": "string", "defaultValue": "red", "variations": []object{{"name": "Green", "value": "green"}}},
		object{"ruleType": "segment", "ruleConfig": object{"segmentKey": "pros"}, "variantValue": "green"})
	s := sdkFlags{tenant: p}
	s.limit = flag(object{"key": "limit", "flagType": "number", "defaultValue": 1.5, "variations": []object{{"name": "Many", "value": "7"}}},
		object{
			"ruleType": "percentage_rollout", "channelName": "staging",
			"ruleConfig": object{"rollout": []object{{"variantValue": "7", "weight": 100}}},
		})
	s.layout = flag(object{
		"key": "layout", "flagType": "json", "defaultValue": object{"columns": 2},
		"variations": []object{{"name": "Wide", "value": `{"columns":3}`}},
	})
	release := p.create(path("/v1/ota/builds/%d/publish", p.build().id("id")), object{
		"channel": "production", "linkedFlags": []object{{"flagId": s.layout, "enabled": true, "value": `{"columns":3}`}},
	})
	s.update = release["updateUuid"].(string)
	p.settle(s.limit)
	return s
}

// sdkQuestion is an evaluation by an SDK.
type sdkQuestion struct {
	flag      string
	byDefault any // has the flag's type in the code
	context   object
}

// sdkAnswer is the result of an evaluation by an SDK.
type sdkAnswer struct {
	value                      any
	variant, reason, errorCode string
}

// sdkRow is an evaluation with its result.
type sdkRow struct {
	sdkQuestion
	sdkAnswer
}

// sdkRows returns evaluations for which all SDKs must have the same result.
func (s sdkFlags) sdkRows() map[string]sdkRow {
	row := func(flag string, byDefault any, context object, value any, variant, reason, errorCode string) sdkRow {
		return sdkRow{sdkQuestion{flag, byDefault, context}, sdkAnswer{value, variant, reason, errorCode}}
	}
	ada, eve, none := object{"targetingKey": "ada"}, object{"targetingKey": "eve"}, map[string]any{}
	two, three := map[string]any{"columns": 2.0}, map[string]any{"columns": 3.0}
	in := func(channel string) object { return object{"targetingKey": "größe", "channel": channel} }
	running := object{"targetingKey": "ada", "updateUuid": s.update}
	return map[string]sdkRow{
		"a user of the list":     row("dark", false, ada, true, "On", "TARGETING_MATCH", ""),
		"another user":           row("dark", true, eve, false, "Off", "DEFAULT", ""),
		"a segment":              row("colour", "x", object{"targetingKey": "eve", "plan": "pro"}, "green", "Green", "SEGMENT_MATCH", ""),
		"an array":               row("colour", "x", object{"plan": []any{"free", "team"}}, "green", "Green", "SEGMENT_MATCH", ""),
		"no segment":             row("colour", "x", object{"targetingKey": "eve", "plan": nil}, "red", "", "DEFAULT", ""),
		"a share":                row("limit", 0.0, in("staging"), 7.0, "Many", "SPLIT", ""),
		"a fraction":             row("limit", 0.0, in("production"), 1.5, "", "DEFAULT", ""),
		"without a key no share": row("half", true, object{"plan": "pro"}, false, "Off", "DEFAULT", ""),
		"an object":              row("layout", none, ada, two, "", "DEFAULT", ""),
		"a release":              row("layout", none, running, three, "Wide", "RELEASE_OVERRIDE", ""),
		"a flag that is off":     row("off", false, ada, false, "Off", "DISABLED", ""),
		"no such flag":           row("nothing", true, ada, true, "", "ERROR", "FLAG_NOT_FOUND"),
		"another type":           row("colour", 4.5, ada, 4.5, "", "ERROR", "TYPE_MISMATCH"),
	}
}

// goSDK evaluates flags with OpenFeature's SDK for Go.
type goSDK struct {
	t      *testing.T
	client *openfeature.Client
}

func (s sdkFlags) goSDK(key string) goSDK {
	s.t.Helper()
	provider := ofrep.NewProvider(s.url, ofrep.WithBearerToken(key))
	require.NoError(s.t, openfeature.SetNamedProviderWithContextAndWait(s.t.Context(), s.slug, provider))
	return goSDK{s.t, openfeature.NewClient(s.slug)}
}

func (g goSDK) ask(a sdkQuestion) sdkAnswer {
	g.t.Helper()
	key, _ := a.context["targetingKey"].(string)
	of := openfeature.NewEvaluationContext(key, a.context)
	ctx := g.t.Context()
	detailed := func(value any, d openfeature.EvaluationDetails) sdkAnswer {
		return sdkAnswer{value, d.Variant, string(d.Reason), string(d.ErrorCode)}
	}
	switch byDefault := a.byDefault.(type) {
	case bool:
		d, _ := g.client.BooleanValueDetails(ctx, a.flag, byDefault, of)
		return detailed(d.Value, d.EvaluationDetails)
	case string:
		d, _ := g.client.StringValueDetails(ctx, a.flag, byDefault, of)
		return detailed(d.Value, d.EvaluationDetails)
	case float64:
		d, _ := g.client.FloatValueDetails(ctx, a.flag, byDefault, of)
		return detailed(d.Value, d.EvaluationDetails)
	default:
		d, _ := g.client.ObjectValueDetails(ctx, a.flag, byDefault, of)
		return detailed(d.Value, d.EvaluationDetails)
	}
}

func TestTheOpenFeatureSDKForGo(t *testing.T) {
	t.Parallel()
	s := newSDKFlags(t)
	made := s.create("/v1/ota/api-keys", object{"name": "sdk", "role": "client"})
	sdk := s.goSDK(made["key"].(string))
	for name, row := range s.sdkRows() {
		require.Equal(t, row.sdkAnswer, sdk.ask(row.sdkQuestion), name)
	}
	whole, err := sdk.client.IntValue(t.Context(), "limit", 0, openfeature.NewEvaluationContext("ada", object{"channel": "staging"}))
	require.NoError(t, err)
	require.EqualValues(t, 7, whole)
	require.Equal(t, sdkAnswer{true, "", "ERROR", "INVALID_CONTEXT"}, sdk.ask(sdkQuestion{"dark", true, object{"channel": "nowhere"}}))

	limit := sdkQuestion{"limit", 0.0, object{"targetingKey": "ada"}}
	require.Equal(t, 1.5, sdk.ask(limit).value)
	s.setLimit(9)
	require.Equal(t, 9.0, sdk.ask(limit).value, "the new value")
	s.override(s.limit, "7")
	require.Equal(t, sdkAnswer{7.0, "Many", "RELEASE_OVERRIDE", ""}, sdk.ask(sdkQuestion{"limit", 0.0, object{"updateUuid": s.update}}))

	revoke := request{method: http.MethodDelete, path: path("/v1/ota/api-keys/%d", made.id("id"))}
	require.Equal(t, http.StatusNoContent, s.do(revoke).status)
	eventually(t, func() bool { return sdk.ask(limit) == sdkAnswer{0.0, "", "ERROR", "GENERAL"} })
	require.Equal(t, 9.0, s.goSDK(s.keys[models.RoleViewer]).ask(limit).value, "a key of any role can evaluate")
}

// override links a flag to the release that devices run.
func (s sdkFlags) override(flag int64, value string) {
	s.t.Helper()
	release := s.do(request{method: http.MethodGet, path: "/v1/ota/updates?channel=production"}).list()[0]
	s.do(request{method: http.MethodPatch, path: path("/v1/ota/updates/%d", release.id("id")), body: object{"linkedFlags": []object{
		{"flagId": s.layout, "enabled": true, "value": `{"columns":3}`}, {"flagId": flag, "enabled": true, "value": value},
	}}}).record(http.StatusOK)
	s.settle(flag)
}

// setLimit changes the default of the flag limit.
func (s sdkFlags) setLimit(value int) {
	s.t.Helper()
	s.do(request{method: http.MethodPatch, path: path("/v1/ota/flags/%d", s.limit), body: object{"defaultValue": value}}).record(http.StatusOK)
	s.settle(s.limit)
}
