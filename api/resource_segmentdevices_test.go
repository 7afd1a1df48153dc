package api

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// on is a segment of one condition.
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
	require.Nil(t, changed(), "telemetry is away, segments are not")
}
