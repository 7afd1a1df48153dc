package e2e

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// randomFlags is a project whose flags are created and changed at random.
type randomFlags struct {
	*tenant
	r       *rand.Rand
	ids     []int64
	types   map[int64]models.FlagType
	updates []string
}

// variants gives the values of variations for each type of flag.
var variants = map[models.FlagType][]string{
	models.FlagBoolean: {"true", "false"}, models.FlagString: {"red", "grün", ""}, models.FlagNumber: {"0", "-1.5", "1e21"},
	models.FlagJSON: {`{"a":[1,null]}`, `null`, `"<&>"`},
}

func oneOf[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

func (f *randomFlags) condition() (attribute string, operator models.Operator, values []string) {
	attribute = oneOf(f.r, "plan", "age", "tags", "joined", "beta", "nested", "nothing", "größe", "platform", "runtimeVersion", "channel",
		"deviceId", "targetingKey", "updateUuid", "ota.branch", "ota.runtime_version", "ota.updated_within_days")
	operator = oneOf(f.r, models.Operators...)
	from := []string{"pro", "ios", "30", "größe", "true", "production", "d1", "u1", "o"}
	switch name := string(operator); {
	case operator == models.OpExists || operator == models.OpNotExists:
		return attribute, operator, nil
	case name == "before" || name == "after":
		from = []string{"2026-01-01T00:00:00Z", "2020-01-01T00:00:00+02:00"}
	case name == "matches":
		from = []string{"^p", "[0-9]+$", "ö", "."}
	case strings.HasPrefix(name, "semver"):
		from = []string{"1.2", "1.3.0-rc.1", "2"}
	case name == "gt" || name == "gte" || name == "lt" || name == "lte":
		from = []string{"20", "1e1", "-0.5"}
	}
	values = []string{oneOf(f.r, from...)}
	if len(from) > 4 && f.r.IntN(2) == 0 { // an operator for an order takes one value
		values = append(values, oneOf(f.r, from...))
	}
	return attribute, operator, values
}

func (f *randomFlags) rule(t models.FlagType) object {
	values := variants[t]
	body := object{"variantValue": oneOf(f.r, values...)}
	switch body["ruleType"] = oneOf(f.r, "user_list", "attribute", "segment", "percentage_rollout", "ota_update"); body["ruleType"] {
	case "user_list":
		body["ruleConfig"] = object{"userIds": oneOf(f.r, "u1,größe", "u3,d1")}
	case "attribute":
		var conditions []object
		for range 1 + f.r.IntN(2) {
			attribute, operator, texts := f.condition()
			conditions = append(conditions, object{"attribute": attribute, "operator": operator, "values": texts})
		}
		body["ruleConfig"] = object{"conditions": conditions}
	case "segment":
		body["ruleConfig"] = object{"segmentKey": oneOf(f.r, "any", "all")}
	case "percentage_rollout":
		body["ruleConfig"] = object{}
	default:
		body["ruleConfig"] = oneOf(f.r, object{"runtimeVersion": object{"operator": oneOf(f.r, "gte", "lt", "eq"), "value": "1.2"}},
			object{"branch": "production"}, object{"updatedWithinDays": 7}, object{"updateUuid": f.updates[0]})
	}
	if body["ruleType"] == "percentage_rollout" || f.r.IntN(3) == 0 {
		f.split(body, values)
	}
	if f.r.IntN(3) == 0 {
		body["channelName"] = "staging"
	}
	return body
}

// split gives the rule random shares instead of its value.
func (f *randomFlags) split(rule object, values []string) {
	config := rule["ruleConfig"].(object)
	config["rollout"] = []object{{"variantValue": values[0], "weight": f.r.IntN(60)}, {"variantValue": values[1], "weight": f.r.IntN(40)}}
	if f.r.IntN(2) == 0 {
		config["bucketBy"] = oneOf(f.r, "plan", "age", "tags", "platform")
	}
	delete(rule, "variantValue")
}

func newRandomFlags(t *testing.T, seed uint64, n int) *randomFlags {
	t.Helper()
	f := &randomFlags{tenant: install(t).tenant(t), r: rand.New(rand.NewPCG(seed, 1)), types: map[int64]models.FlagType{}}
	f.known()
	build := f.build().id("id")
	publish := func(links []object) {
		release := f.create(path("/v1/ota/builds/%d/publish", build), object{"channel": "production", "linkedFlags": links})
		f.updates = append(f.updates, release["updateUuid"].(string))
	}
	publish(nil)
	for match, conditions := range map[string][]object{
		"any": {
			{"attribute": "plan", "operator": "eq", "valuesJson": []string{"pro"}},
			{"attribute": "age", "operator": "lt", "valuesJson": []string{"20"}},
		},
		"all": {
			{"attribute": "tags", "operator": "exists"},
			{"attribute": "platform", "operator": "not_in", "valuesJson": []string{"web"}},
		},
	} {
		f.create("/v1/ota/segments", object{"key": match, "name": match, "matchType": match, "conditions": conditions})
	}
	var links []object
	for i := range n {
		kind := oneOf(f.r, models.FlagBoolean, models.FlagString, models.FlagNumber, models.FlagJSON)
		values := variants[kind]
		var variations []object
		for j, v := range values {
			variations = append(variations, object{"name": fmt.Sprint("V", j), "value": v})
		}
		id := f.create("/v1/ota/flags", object{
			"key": fmt.Sprint("f", i), "flagType": kind, "defaultValue": values[0], "enabled": f.r.IntN(4) > 0, "variations": variations,
		}).id("id")
		f.ids, f.types[id] = append(f.ids, id), kind
		for range f.r.IntN(4) {
			f.create(path("/v1/ota/flags/%d/rules", id), f.rule(kind))
		}
		if f.r.IntN(4) == 0 {
			link := object{"flagId": id, "enabled": f.r.IntN(3) > 0}
			if kind != models.FlagBoolean {
				link["value"] = values[1]
			}
			links = append(links, link)
		}
	}
	publish(links)
	f.settle(f.ids[0])
	return f
}

// change changes one flag.
func (f *randomFlags) change() {
	f.t.Helper()
	id := oneOf(f.r, f.ids...)
	values := variants[f.types[id]]
	switch f.r.IntN(4) {
	case 0:
		f.create(path("/v1/ota/flags/%d/rules", id), f.rule(f.types[id]))
	case 1:
		f.patchFlag(path("/v1/ota/flags/%d", id), object{"enabled": f.r.IntN(2) == 0})
	case 2:
		f.patchFlag(path("/v1/ota/flags/%d", id), object{"defaultValue": oneOf(f.r, values...)})
	default:
		f.patchFlag(path("/v1/ota/flags/%d/env/%s", id, oneOf(f.r, "staging", "production")), object{"enabled": f.r.IntN(2) == 0})
	}
}

func (f *randomFlags) patchFlag(at string, body object) {
	f.t.Helper()
	f.do(request{method: http.MethodPatch, path: at, body: body}).record(http.StatusOK)
}

// device returns a random device for an evaluation in bulk, without attributes.
func (f *randomFlags) device() object {
	return object{
		"deviceId": fmt.Sprint("d", f.r.IntN(50)), "targetingKey": oneOf(f.r, "u1", "u3", "größe", uuid.NewString(), ""),
		"channel": oneOf(f.r, "", "staging", "production"), "platform": oneOf(f.r, "ios", "android", "web", ""),
		"runtimeVersion": oneOf(f.r, "1.1", "1.3.0", "f00", ""),
		"attributes":     object{"update_id": oneOf(f.r, f.updates[0], f.updates[1], strings.ToUpper(f.updates[1]), uuid.NewString(), "")},
	}
}

// attributes returns the attributes of a random context.
func (f *randomFlags) attributes() object {
	return object{
		"plan": oneOf[any](f.r, "pro", "free", "", nil, 30, "größe"), "age": oneOf[any](f.r, f.r.IntN(40), 1.5, "20", "x", true),
		"tags": oneOf[any](f.r, []any{}, []any{"pro", "x"}, []any{nil, 30, []any{"pro"}}, "pro"), "beta": f.r.IntN(2) == 0,
		"joined": oneOf[any](f.r, "2025-06-01T00:00:00Z", "2026-06-01T12:00:00.5+02:00", "soon"), "nested": object{"plan": "pro"},
		"größe": oneOf[any](f.r, "groß", 1e21, nil),
	}
}

// flat converts a context for bulk evaluation to the form that OFREP and explain take.
func flat(of, attributes object) object {
	context := maps.Clone(attributes)
	maps.Copy(context, of)
	delete(context, "attributes")
	context["updateUuid"] = of["attributes"].(object)["update_id"]
	return context
}

// TestEveryWayToEvaluateAgrees evaluates random flags for random contexts in bulk, by OFREP, by explain and in the
// stream. All results must agree.
func TestEveryWayToEvaluateAgrees(t *testing.T) {
	t.Parallel()
	f := newRandomFlags(t, 18, 24)
	reasons := map[any]int{}
	for range enginetest.Sized(60, 20) {
		device, attributes := f.device(), f.attributes()
		event, put := f.followFlagsAt(f.streamPath(device)).next()
		require.Equal(t, "put", event)
		require.Equal(t, f.bulk(maps.Clone(device)), put["flags"], device)

		context := flat(device, attributes)
		maps.Copy(attributes, device["attributes"].(object))
		device["attributes"] = attributes
		bulk := f.bulk(device)
		all := f.ofrep(f.keys[models.RoleViewer], "", context).record(http.StatusOK)["flags"].([]any)
		explained := f.do(request{method: http.MethodPost, path: "/v1/ota/flags/explain", body: object{"context": context}}).list()
		require.Len(t, all, len(f.ids))
		require.Len(t, explained, len(f.ids))
		for i := range all {
			flag := all[i].(map[string]any)
			key := flag["key"].(string)
			if i%6 == 0 {
				require.Equal(t, object(flag), f.ofrep(f.keys[models.RoleViewer], key, context).record(http.StatusOK))
			}
			delete(flag, "key")
			require.Equal(t, bulk[key], flag, "%s for %v", key, context)
			require.Equal(t, key, explained[i]["flagKey"])
			why := map[string]any{}
			for _, field := range []string{"value", "variant", "reason"} {
				if v, ok := explained[i][field]; ok {
					why[field] = v
				}
			}
			require.Equal(t, bulk[key], why, "%s for %v", key, context)
			reasons[flag["reason"]]++
		}
	}
	for _, reason := range []string{"RELEASE_OVERRIDE", "DISABLED", "TARGETING_MATCH", "SEGMENT_MATCH", "SPLIT", "DEFAULT"} {
		require.Positive(t, reasons[reason], reason)
	}
}

// TestFollowersAgreeAfterAnyChanges changes flags at random while streams are open. The events of each stream must add
// up to the result of a bulk evaluation.
func TestFollowersAgreeAfterAnyChanges(t *testing.T) {
	t.Parallel()
	f := newRandomFlags(t, 19, 12)
	devices := make([]object, 12)
	for i := range devices {
		devices[i] = f.device()
	}
	followers := f.followers(devices...)
	agree := func() { followers.requireAgreement(func(map[string]any) bool { return true }) }
	agree()
	for range 6 {
		for range 8 {
			f.change()
		}
		agree()
	}
	for _, id := range f.ids[:4] {
		if f.do(request{method: http.MethodDelete, path: path("/v1/ota/flags/%d", id)}).status == http.StatusNoContent { // not linked
			agree()
		}
	}
	for _, puts := range followers.puts() {
		require.Equal(t, 1, puts, "the streams stayed open")
	}
}
