package api

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestAPatchTellsAbsentFromNullFromValue(t *testing.T) {
	t.Parallel()
	cases := map[string]models.ChannelPatch{
		`{}`:                          {},
		`{"branchName":"next"}`:       {BranchName: new("next")},
		`{"isPaused":false}`:          {IsPaused: new(false)},
		`{"minRuntimeVersion":null}`:  {MinRuntimeVersion: models.Nullable[string]{Set: true}},
		`{"minRuntimeVersion":"1.2"}`: {MinRuntimeVersion: models.Nullable[string]{Set: true, Value: new("1.2")}},
		`{"rolloutPercentage":0}`:     {RolloutPercentage: models.Nullable[float64]{Set: true, Value: new(0.0)}},
		`{"rolloutBranchName":null}`:  {RolloutBranchName: models.Nullable[string]{Set: true}, RolloutPercentage: models.Nullable[float64]{Set: true}},
		`{"rolloutBranchName":"b","rolloutPercentage":12.5}`: {
			RolloutBranchName: models.Nullable[string]{Set: true, Value: new("b")},
			RolloutPercentage: models.Nullable[float64]{Set: true, Value: new(12.5)},
		},
	}
	for body, want := range cases {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			var got *models.ChannelPatch
			w.store.updateChannel = func(name string, patch models.ChannelPatch) (models.Channel, error) {
				require.Equal(t, "production", name)
				got = &patch
				return models.Channel{Name: name}, nil
			}
			answer := w.do(request{method: patch, path: "/v1/ota/channels/production", body: body})
			require.Equal(t, 200, answer.Code, answer.Body.String())
			require.Equal(t, &want, got)
		})
	}
}

func TestAPatchRefusesWhatAFieldCannotHold(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		path, body string
		fields     []string
	}{
		"null where a value must be": {
			"/v1/ota/channels/production", `{"branchName":null,"isPaused":null}`, []string{"branchName", "isPaused"},
		},
		"null for a release's switches": {
			"/v1/ota/updates/17", `{"isEnabled":null,"isCritical":null,"rolloutPercentage":null}`,
			[]string{"isEnabled", "isCritical", "rolloutPercentage"},
		},
		"another type": {
			"/v1/ota/channels/production", `{"isPaused":"yes","rolloutPercentage":"12"}`, []string{"isPaused", "rolloutPercentage"},
		},
		"out of range":     {"/v1/ota/channels/production", `{"rolloutPercentage":100.5}`, []string{"rolloutPercentage"}},
		"an unknown field": {"/v1/ota/channels/production", `{"name":"x"}`, []string{"name"}},
		"an empty name":    {"/v1/ota/channels/production", `{"branchName":"","minRuntimeVersion":""}`, []string{"branchName", "minRuntimeVersion"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			p := w.problem(w.do(request{method: patch, path: tc.path, body: tc.body}), 400, models.CodeInvalid)
			require.ElementsMatch(t, tc.fields, fieldsOf(p))
		})
	}
}

func TestAReleasesMessageIsClearedByNullAndByNothing(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"releaseMessage":null}`, `{"releaseMessage":""}`} {
		w := newTestAPI(t)
		var got models.ReleasePatch
		w.store.updateRelease = func(_ int64, patch models.ReleasePatch) (models.Release, error) {
			got = patch
			return models.Release{}, nil
		}
		require.Equal(t, 200, w.do(request{method: patch, path: "/v1/ota/updates/17", body: body}).Code)
		require.Equal(t, models.ReleasePatch{ReleaseMessage: new("")}, got)
	}
}
