package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/manage/flags"
	"github.com/waft-ota/waft/api/manage/rollouts"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

func TestANewFlagPassesOnWhatItIsGiven(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		body string
		want models.NewFlag
	}{
		"a boolean by its name": {`{"name":"New checkout"}`, models.NewFlag{
			Key: "new-checkout", Name: "New checkout", FlagType: models.FlagBoolean, DefaultValue: json.RawMessage("false"), Enabled: true,
			Variations: []models.NewVariation{{Name: "On", Value: "true"}, {Name: "Off", Value: "false"}},
		}},
		"a number": {`{"key":"n","flagType":"number","defaultValue":42,"enabled":false,"description":"d","variations":[{"name":"a","value":"42"}]}`, models.NewFlag{
			Key: "n", Name: "n", Description: "d", FlagType: models.FlagNumber, DefaultValue: json.RawMessage("42"),
			Variations: []models.NewVariation{{Name: "a", Value: "42"}},
		}},
		"a default as text": {`{"key":"s","flagType":"string","defaultValue":"blue"}`, models.NewFlag{
			Key: "s", Name: "s", FlagType: models.FlagString, DefaultValue: json.RawMessage(`"blue"`), Enabled: true, Variations: []models.NewVariation{},
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			var got models.NewFlag
			w.store.flags.create = func(n models.NewFlag) (models.Flag, error) {
				got = n
				return n.Flag()
			}
			answer := w.do(request{method: post, path: "/v1/ota/flags", body: tc.body})
			require.Equal(t, 201, answer.Code, answer.Body.String())
			again := tc.want
			again.Normalize()
			require.NoError(t, got.Validate())
			wanted, err := again.Flag()
			require.NoError(t, err)
			gave, err := got.Flag()
			require.NoError(t, err)
			require.Equal(t, wanted, gave)
		})
	}
}

func TestAFlagIsShownWithTypedAndTextValues(t *testing.T) {
	t.Parallel()
	off := false
	channel := "staging"
	two := "42"
	flag := models.Flag{
		ID: 31, Key: "n", Name: "N", FlagType: models.FlagNumber, DefaultValue: "1", Enabled: true, CreatedAt: now, UpdatedAt: now,
		Variations: []models.Variation{{ID: 32, Name: "two", Value: "42"}},
		Rules: []models.FlagRule{
			{ID: 34, RuleType: models.RuleUserList, Config: models.RuleConfig{UserIDs: []string{"a", "b"}, UserIDsAsText: true}, VariantValue: &two, ChannelName: &channel},
			{ID: 35, RuleType: models.RulePercentageRollout, Priority: 1, Config: models.RuleConfig{Rollout: []models.RolloutShare{{VariationID: 32, VariantValue: "42", HasValue: true, Weight: 5}}}},
		},
		Environments:   []models.FlagEnvironment{{ChannelName: "production"}, {ID: 9, ChannelName: "staging", Enabled: &off, DefaultValue: &two}},
		ActiveRollouts: []int64{21},
	}
	w := newTestAPI(t)
	w.store.flags.get = func(int64) (models.Flag, error) { return flag, nil }
	answer := w.do(request{method: get, path: "/v1/ota/flags/31"})
	require.Equal(t, 200, answer.Code)
	require.JSONEq(t, `{"id":31,"key":"n","name":"N","description":"","flagType":"number","defaultValue":1,"enabled":true,
		"variations":[{"id":32,"name":"two","value":"42"}],
		"rules":[{"id":34,"ruleType":"user_list","ruleConfig":{"userIds":"a,b"},"variantValue":"42","priority":0,"channelName":"staging"},
			{"id":35,"ruleType":"percentage_rollout","ruleConfig":{"rollout":[{"variationId":32,"variantValue":"42","weight":5}]},"variantValue":null,"priority":1,"channelName":null}],
		"environments":[{"channelName":"production","enabled":true,"defaultValue":"1","isEnabledInherited":true,"isDefaultInherited":true},
			{"channelName":"staging","enabled":false,"defaultValue":"42","isEnabledInherited":false,"isDefaultInherited":false}],
		"activeRollouts":[21],"newestReleases":[],"createdAt":"2026-03-14T09:26:53.589Z","updatedAt":"2026-03-14T09:26:53.589Z"}`, answer.Body.String())
}

func TestFlagInputIsRefusedFieldByField(t *testing.T) {
	t.Parallel()
	shared := newTestAPI(t)
	for name, tc := range map[string]struct {
		method, path, body string
		fields             []string
	}{
		"a flag of another type":         {post, "/flags", `{"key":"k","flagType":"float"}`, []string{"flagType"}},
		"a default of another type":      {post, "/flags", `{"key":"k","defaultValue":3}`, []string{"defaultValue"}},
		"an unknown field":               {post, "/flags", `{"key":"k","colour":3}`, []string{"colour"}},
		"a typed variation":              {post, "/flags", `{"key":"k","variations":[{"name":"a","value":true}]}`, []string{"variations[0].value"}},
		"a null default":                 {post, "/flags", `{"key":"k","defaultValue":null}`, []string{"defaultValue"}},
		"a flag switched to null":        {patch, "/flags/31", `{"enabled":null}`, []string{"enabled"}},
		"a flag's key":                   {patch, "/flags/31", `{"key":"other"}`, []string{"key"}},
		"variations of null":             {patch, "/flags/31", `{"variations":null}`, []string{"variations"}},
		"a rule of another type":         {post, "/flags/31/rules", `{"ruleType":"magic","ruleConfig":{},"variantValue":"x"}`, []string{"ruleType"}},
		"a rule without a value":         {post, "/flags/31/rules", `{"ruleType":"segment","ruleConfig":{"segmentKey":"beta"}}`, []string{"variantValue"}},
		"an unknown operator":            {post, "/flags/31/rules", `{"ruleType":"attribute","variantValue":"x","ruleConfig":{"conditions":[{"attribute":"a","operator":"like","values":["x"]}]}}`, []string{"ruleConfig.conditions[0].operator"}},
		"an unknown field of a config":   {post, "/flags/31/rules", `{"ruleType":"segment","variantValue":"x","ruleConfig":{"segmentKey":"b","x":1}}`, []string{"ruleConfig.x"}},
		"weights above 100":              {post, "/flags/31/rules", `{"ruleType":"percentage_rollout","ruleConfig":{"rollout":[{"variantValue":"a","weight":60},{"variantValue":"b","weight":60}]}}`, []string{"ruleConfig.rollout"}},
		"a rule with a value and shares": {post, "/flags/31/rules", `{"ruleType":"segment","variantValue":"x","ruleConfig":{"segmentKey":"b","rollout":[{"variantValue":"a","weight":10}]}}`, []string{"variantValue"}},
		"a rule with too many shares":    {post, "/flags/31/rules", `{"ruleType":"segment","ruleConfig":{"segmentKey":"b","rollout":[{"variantValue":"a","weight":60},{"variantValue":"b","weight":60}]}}`, []string{"ruleConfig.rollout"}},
		"a bucket of no shares":          {post, "/flags/31/rules", `{"ruleType":"segment","variantValue":"x","ruleConfig":{"segmentKey":"b","bucketBy":"team"}}`, []string{"ruleConfig.bucketBy"}},
		"a rule's config of null":        {patch, "/flags/31/rules/34", `{"ruleConfig":null}`, []string{"ruleConfig"}},
		"a variation of null":            {patch, "/flags/31/variations/32", `{"value":null}`, []string{"value"}},
		"an environment's switch":        {patch, "/flags/31/env/production", `{"enabled":"yes"}`, []string{"enabled"}},
		"a segment without conditions":   {post, "/segments", `{"name":"n","matchType":"all","conditions":[]}`, []string{"conditions"}},
		"a segment of some":              {post, "/segments", `{"name":"n","matchType":"some","conditions":[{"attribute":"a","operator":"exists","valuesJson":[]}]}`, []string{"matchType"}},
		"values for exists":              {post, "/segments", `{"name":"n","matchType":"all","conditions":[{"attribute":"a","operator":"exists","valuesJson":["x"]}]}`, []string{"conditions[0].valuesJson"}},
		"a value that is an object":      {post, "/segments", `{"name":"n","matchType":"all","conditions":[{"attribute":"a","operator":"eq","valuesJson":[{}]}]}`, []string{"conditions[0].valuesJson[0]"}},
		"a segment's key":                {patch, "/segments/41", `{"key":"other"}`, []string{"key"}},
		"a link without a flag":          {post, "/builds/12/publish", `{"channel":"production","linkedFlags":[{"enabled":true}]}`, []string{"linkedFlags[0].flagId"}},
		"a flag linked twice":            {patch, "/updates/17", `{"linkedFlags":[{"flagId":1,"enabled":true},{"flagId":1,"enabled":false}]}`, []string{"linkedFlags[1].flagId"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := shared.in(t)
			p := w.problem(w.do(request{method: tc.method, path: "/v1/ota" + tc.path, body: tc.body}), 400, models.CodeInvalid)
			require.Equal(t, tc.fields, fieldsOf(p), p.Detail)
		})
	}
}

func TestRulesAreReadInEveryForm(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		body string
		want models.RuleConfig
	}{
		"conditions with shares": {
			`{"ruleType":"ota_update","ruleConfig":{"branch":"next","rollout":[{"variantValue":"a","weight":10},{"variationId":7,"weight":0.5}],"bucketBy":"team"}}`,
			models.RuleConfig{Branch: "next", BucketBy: "team", Rollout: []models.RolloutShare{{VariantValue: "a", HasValue: true, Weight: 10}, {VariationID: 7, Weight: 0.5}}},
		},
		"users as a list": {`{"ruleType":"user_list","variantValue":"a","ruleConfig":{"userIds":["x","y z"]}}`, models.RuleConfig{UserIDs: []string{"x", "y z"}}},
		"users as a text": {`{"ruleType":"user_list","variantValue":"a","ruleConfig":{"userIds":"x, y"}}`, models.RuleConfig{UserIDs: []string{"x", "y"}, UserIDsAsText: true}},
		"shares by value and by id": {
			`{"ruleType":"percentage_rollout","variantValue":"a","ruleConfig":{"rollout":[{"variantValue":"a","weight":10},{"variationId":7,"weight":0.5}],"bucketBy":"team"}}`,
			models.RuleConfig{BucketBy: "team", Rollout: []models.RolloutShare{{VariantValue: "a", HasValue: true, Weight: 10}, {VariationID: 7, Weight: 0.5}}},
		},
		"numbers as values": {
			`{"ruleType":"attribute","variantValue":"a","ruleConfig":{"conditions":[{"attribute":"age","operator":"in","values":[18,"19",true]},{"attribute":"b","operator":"exists"}]}}`,
			models.RuleConfig{Conditions: []models.Condition{{Attribute: "age", Operator: models.OpIn, Values: []string{"18", "19", "true"}}, {Attribute: "b", Operator: models.OpExists, Values: []string{}}}},
		},
		"an update": {
			`{"ruleType":"ota_update","variantValue":"a","ruleConfig":{"runtimeVersion":{"operator":"gte","value":"1.2.0"},"branch":"next","updatedWithinDays":7}}`,
			models.RuleConfig{RuntimeVersion: &models.VersionCondition{Operator: models.OpGte, Value: "1.2.0"}, Branch: "next", UpdatedWithinDays: new(7.0)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			w.store.flags.createRule = func(flagID int64, n models.NewFlagRule) (models.FlagRule, error) {
				require.Equal(t, int64(31), flagID)
				require.Equal(t, tc.want, n.Config)
				require.Equal(t, strings.Contains(tc.body, `e":"a","ruleConfig"`), n.VariantValue != nil)
				return models.FlagRule{ID: 34, RuleType: n.RuleType, Config: n.Config, VariantValue: n.VariantValue}, nil
			}
			made := decoded(t, w.do(request{method: post, path: "/v1/ota/flags/31/rules", body: tc.body}), 201)
			require.Equal(t, 34.0, made["id"])
			require.Nil(t, made["channelName"])
		})
	}
}

func TestPatchesOfFlagsTellAbsentFromNull(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.flags.update = func(_ int64, p models.FlagPatch) (models.Flag, error) {
		require.Equal(t, models.FlagPatch{Description: new(""), Enabled: new(false), DefaultValue: json.RawMessage(`true`)}, p)
		return aFlag(31), nil
	}
	require.Equal(t, 200, w.do(request{method: patch, path: "/v1/ota/flags/31", body: `{"description":null,"enabled":false,"defaultValue":true}`}).Code)

	w.store.flags.updateEnvironment = func(_ int64, channel string, p models.FlagEnvironmentPatch) (models.Flag, models.FlagEnvironment, error) {
		require.Equal(t, "a/b", channel)
		require.Equal(t, models.FlagEnvironmentPatch{Enabled: models.Nullable[bool]{Set: true, Value: new(true)}, DefaultValue: models.Nullable[json.RawMessage]{Set: true}}, p)
		return aFlag(31), models.FlagEnvironment{ChannelName: channel, Enabled: new(true)}, nil
	}
	body := decoded(t, w.do(request{method: patch, path: "/v1/ota/flags/31/env/a%2Fb", body: `{"enabled":true,"defaultValue":null}`}), 200)
	require.Equal(t, map[string]any{
		"channelName": "a/b", "enabled": true, "defaultValue": "false", "isEnabledInherited": false, "isDefaultInherited": true,
	}, body)

	w.store.flags.updateRule = func(_, id int64, p models.FlagRulePatch) (models.FlagRule, error) {
		require.Equal(t, models.FlagRulePatch{Priority: new(0), ChannelName: models.Nullable[string]{Set: true}}, p)
		return models.FlagRule{ID: id, RuleType: models.RuleUserList}, nil
	}
	require.Equal(t, 200, w.do(request{method: patch, path: "/v1/ota/flags/31/rules/34", body: `{"priority":0,"channelName":null}`}).Code)

	w.store.updateRelease = func(id int64, p models.ReleasePatch) (models.Release, error) {
		require.Equal(t, models.ReleasePatch{LinkedFlags: &[]models.FlagLink{}}, p)
		return models.Release{ID: id}, nil
	}
	require.Equal(t, 200, w.do(request{method: patch, path: "/v1/ota/updates/17", body: `{"linkedFlags":null}`}).Code)
}

func TestLinkedFlagsTravelBothWays(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.publish = func(p models.Publish) (models.Release, error) {
		require.Equal(t, []models.FlagLink{{FlagID: 31, Enabled: true, Value: new("blue")}}, p.LinkedFlags)
		return models.Release{ID: 17, LinkedFlags: []models.LinkedFlag{{FlagID: 31, FlagKey: "colour", Enabled: true, Value: "blue", VariationID: new(int64(9))}}}, nil
	}
	shown := []any{map[string]any{"flagId": 31.0, "flagKey": "colour", "enabled": true, "value": "blue"}}
	for path, body := range map[string]string{
		"/v1/ota/builds/12/publish": `{"channel":"production","linkedFlags":[{"flagId":31,"enabled":true,"value":"blue"}]}`,
		"/v1/ota/updates":           `{"buildId":12,"channel":"production","linkedFlags":[{"flagId":31,"enabled":true,"value":"blue"}]}`,
	} {
		require.Equal(t, shown, decoded(t, w.do(request{method: post, path: path, body: body}), 201)["linkedFlags"])
	}
	execution := object(t, rollouts.ExecutionRecord(models.RolloutExecution{LinkedFlags: []models.LinkedFlag{{FlagID: 31,
		FlagKey: "colour", Enabled: true, Value: "blue"}}}))
	require.Equal(t, shown, execution["linkedFlags"])
}

func TestASegmentIsShownWithItsReferences(t *testing.T) {
	t.Parallel()
	got := object(t, flags.SegmentRecord(models.Segment{
		ID: 41, Key: "beta", MatchType: models.MatchAll, CreatedAt: now, UpdatedAt: now,
		Conditions:   []models.Condition{{ID: 42, Attribute: "a", Operator: models.OpExists}},
		ReferencedBy: []models.SegmentReference{{FlagID: 31, FlagKey: "k", RuleID: 34}},
	}))
	require.Equal(t, []any{map[string]any{"id": 42.0, "attribute": "a", "operator": "exists", "valuesJson": []any{}}}, got["conditions"])
	require.Equal(t, []any{map[string]any{"flagId": 31.0, "flagKey": "k", "ruleId": 34.0}}, got["referencedBy"])
	require.Contains(t, got, "estimatedDevices")
	require.Equal(t, []any{}, object(t, flags.SegmentRecord(models.Segment{}))["referencedBy"])
}

func TestAReferredRecordIsInUse(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.flags.delete = func(int64) error { return models.Errorf(models.CodeInUse, "flag %q is linked by release 17", "k") }
	p := w.problem(w.do(request{method: remove, path: "/v1/ota/flags/31"}), 409, models.CodeInUse)
	require.Contains(t, p.Detail, "release 17")
}

func TestFlagDefinitions(t *testing.T) {
	t.Parallel()
	state := models.ProjectSnapshot{
		Project:  demo,
		Branches: []models.Branch{{ID: 5, ProjectID: demo.ID, Name: "production"}},
		Channels: []models.Channel{{ID: 6, ProjectID: demo.ID, Name: "production", BranchID: 5, BranchName: "production"}},
		Flags:    []models.Flag{{ID: 31, Key: "n", FlagType: models.FlagNumber, DefaultValue: "42", Enabled: true}},
	}
	served, err := delivery.NewSnapshot(state, "https://ota.example.com")
	require.NoError(t, err)
	w := newTestAPI(t, func(d *parts) { d.Snapshots = snapshots{served} })
	ask := func(path, etag string) (int, http.Header, []byte) {
		answer := w.do(request{method: get, path: "/v1/ota/flag-definitions/" + path, anonymous: true, header: map[string]string{"If-None-Match": etag}})
		return answer.Code, answer.Header(), answer.Body.Bytes()
	}
	status, header, body := ask("demo?channel=production", "")
	require.Equal(t, 200, status)
	require.Equal(t, "application/json", header.Get("Content-Type"))
	require.Equal(t, "no-cache", header.Get("Cache-Control"))
	etag := header.Get("ETag")
	require.Regexp(t, `^"[0-9a-f]{24}"$`, etag, "strong")
	var got struct {
		Flags   []map[string]any
		Version string
	}
	require.NoError(t, json.Unmarshal(body, &got))
	require.Equal(t, `"`+got.Version+`"`, etag)
	require.Equal(t, map[string]any{
		"key": "n", "flagType": "number", "defaultValue": 42.0, "enabled": true, "variations": []any{}, "rules": []any{}, "releaseOverrides": []any{},
	}, got.Flags[0])

	for _, same := range []string{etag, "*", `"other", ` + etag, "W/" + etag} {
		status, header, body = ask(demo.UUID.String()+"?channel=production", same)
		require.Equal(t, 304, status, same)
		require.Empty(t, body)
		require.Equal(t, etag, header.Get("ETag"))
	}
	status, _, _ = ask("demo?channel=production", `"other"`)
	require.Equal(t, 200, status)
	status, _, _ = ask("demo", "")
	require.Equal(t, 200, status)
	for _, path := range []string{"nobody?channel=production", "demo?channel=nowhere"} {
		w.problem(w.do(request{method: get, path: "/v1/ota/flag-definitions/" + path, anonymous: true}), 404, models.CodeNotFound)
	}
}

// on returns a segment with one condition.
func on(id int64, attribute string, operator models.Operator, values ...string) models.Segment {
	return models.Segment{
		ID: id, Key: "s", MatchType: models.MatchAll, CreatedAt: now, UpdatedAt: now,
		Conditions: []models.Condition{{ID: id + 1, Attribute: attribute, Operator: operator, Values: values}},
	}
}

func TestTheDevicesOfASegmentAreEstimated(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	update := releasedUUID.String()
	w.store.groups = []models.DeviceGroup{
		{Key: 1, UpdateUUID: update, Channel: "production", Platform: models.IOS, RuntimeVersion: "1.0.0"},
		{Key: 2, Channel: "production", Platform: models.Android, RuntimeVersion: "1.10.0"},
		{Key: 3, UpdateUUID: "99999999-2222-4333-8444-555555555555", Channel: "beta", Platform: models.IOS, RuntimeVersion: "1.9.0"},
	}
	w.store.releasesOf = func(updates []string) (map[string]models.Release, error) {
		require.ElementsMatch(t, []string{update, "99999999-2222-4333-8444-555555555555"}, updates)
		return map[string]models.Release{update: {ID: 17, BranchName: "main"}}, nil
	}
	both := on(20, "platform", models.OpEq, "ios")
	both.Conditions = append(both.Conditions, models.Condition{ID: 22, Attribute: "channel", Operator: models.OpEq, Values: []string{"production"}})
	either := both
	either.ID, either.MatchType = 30, models.MatchAny
	unknown := either
	unknown.ID, unknown.Conditions = 40, append(either.Conditions[:2:2], models.Condition{ID: 42, Attribute: "plan", Operator: models.OpExists})
	cases := []struct {
		segment models.Segment
		want    any
	}{
		{on(1, "platform", models.OpEq, "ios"), 20.0},
		{on(2, "channel", models.OpNeq, "production"), 10.0},
		{on(3, "runtimeVersion", models.OpSemverGt, "1.8"), 20.0},
		{on(4, "ota.runtime_version", models.OpEq, "2.0.0"), 0.0},
		{on(5, "updateUuid", models.OpEq, update), 10.0},
		{on(6, "ota.update_id", models.OpNotExists), 10.0},
		{on(7, "ota.branch", models.OpEq, "main"), 10.0},
		{on(8, "plan", models.OpEq, "pro"), nil},
		{on(9, "ota.updated_within_days", models.OpLt, "3"), nil},
		{on(10, "deviceId", models.OpEq, "d"), nil},
		{both, 10.0}, {either, 30.0}, {unknown, nil},
	}
	var all []models.Segment
	for _, c := range cases {
		all = append(all, c.segment)
	}
	w.store.segments.list = all
	var list []map[string]any
	require.NoError(t, json.Unmarshal(w.do(request{method: get, path: "/v1/ota/segments"}).Body.Bytes(), &list))
	require.Len(t, list, len(cases))
	for i, c := range cases {
		require.Equal(t, c.want, list[i]["estimatedDevices"], c.segment)
	}
	changed := func() any {
		w.store.segments.update = func(int64, models.SegmentPatch) (models.Segment, error) { return cases[0].segment, nil }
		return decoded(t, w.do(request{method: patch, path: "/v1/ota/segments/1", body: `{"name":"x"}`}), 200)["estimatedDevices"]
	}
	require.Equal(t, 20.0, changed())
	w.store.groupsErr = errors.New("away")
	require.Nil(t, changed(), "telemetry is unavailable, segments are not")
}
