package projectstore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func erase(f *storetest.Fixture, deviceID string) models.DeviceErasure {
	f.T.Helper()
	e, err := f.EraseDevice(f.T.Context(), f.Demo.ID, storetest.Alice, deviceID)
	require.NoError(f.T, err)
	return e
}

func dueErasures(f *storetest.Fixture) []models.DeviceErasure {
	f.T.Helper()
	due, err := f.DueErasures(f.T.Context())
	require.NoError(f.T, err)
	return due
}

func TestErasingADeviceTakesItsRecords(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	other := f.NewProject("other")
	for _, project := range []int64{f.Demo.ID, other.ID} {
		for _, key := range []string{"Device-1", "device-2"} {
			_, _, err := f.SaveContext(t.Context(), project, storetest.Alice, models.SeenContext{Kind: "device", TargetingKey: key})
			require.NoError(t, err)
			_, err = f.CreateUserOverride(t.Context(), project, storetest.Alice, models.NewUserOverride{UserID: key, BranchName: "production"})
			require.NoError(t, err)
		}
	}
	var e models.DeviceErasure
	f.RequireBumped(true, func() { e = erase(f, "DEVICE-1") })
	require.Equal(t, "device-1", e.Identities[0])
	require.Equal(t, []string{"device-2"}, storetest.Query[string](f, "SELECT targeting_key FROM contexts WHERE project_id = $1", f.Demo.ID))
	require.Equal(t, []string{"device-2"}, storetest.Query[string](f, "SELECT user_id FROM user_overrides WHERE project_id = $1", f.Demo.ID))
	require.Len(t, storetest.Query[string](f, "SELECT user_id FROM user_overrides WHERE project_id = $1", other.ID), 2)
	entry := storetest.Query[string](f, "SELECT details::text || entity_type || entity_id FROM audit_log WHERE action = 'device.erased'")
	require.Len(t, entry, 1)
	require.NotContains(t, entry[0], "evice-1", "the log must not contain the erased device")
	f.RequireBumped(false, func() { erase(f, "device-1") })
}

func TestAnErasureIsCarriedOutAgainAndThenNotAnyMore(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	e := erase(f, "d")
	require.Empty(t, dueErasures(f), "the caller has a minute")
	later := func() { f.MustExec("UPDATE device_erasures SET next_at = next_at - interval '25 hours'") }
	passes := 0
	for later(); ; later() {
		due := dueErasures(f)
		if len(due) == 0 {
			break
		}
		require.Empty(t, dueErasures(f), "one erasure at a time")
		require.Equal(t, e.ID, due[0].ID)
		require.Equal(t, e.Identities, due[0].Identities)
		require.NoError(t, f.ErasurePassed(t.Context(), due[0]))
		passes++
		require.Less(t, passes, 10)
	}
	require.Equal(t, 5, passes)

	known := func(since time.Time) int {
		found, err := f.ErasedSince(t.Context(), since)
		require.NoError(t, err)
		return len(found)
	}
	require.Equal(t, 1, known(e.ErasedAt.Add(-time.Second)))
	require.Equal(t, 0, known(e.ErasedAt.Add(time.Second)))
	f.MustExec("UPDATE device_erasures SET erased_at = now() - interval '31 days'")
	require.Empty(t, dueErasures(f))
	require.Equal(t, 0, known(time.Time{}), "its ID is deleted in the end")
}

func TestAnErasureThatFailedIsDueAgain(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	erase(f, "d")
	for range 3 {
		f.MustExec("UPDATE device_erasures SET next_at = now() - interval '1 second'")
		require.Len(t, dueErasures(f), 1)
	}
}

func TestHashingOfIds(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	hashing := func(on bool) error {
		_, err := f.UpdateSettings(t.Context(), f.Demo.ID, storetest.Alice, models.SettingsPatch{HashIDs: &on})
		return err
	}
	key := func() []byte {
		snapshot, err := f.Snapshot(t.Context(), f.Demo.ID)
		require.NoError(t, err)
		return snapshot.HashKey
	}
	require.Nil(t, key())
	f.RequireBumped(true, func() { require.NoError(t, hashing(true)) })
	f.RequireBumped(false, func() { require.NoError(t, hashing(true)) })
	first := key()
	require.Len(t, first, 32)
	sealed := storetest.Query[string](f, "SELECT sealed_hash_key FROM projects WHERE id = $1", f.Demo.ID)
	require.NotContains(t, sealed[0], string(first))
	identities := []string{"d", models.HashDeviceID(first, "d")}
	require.Equal(t, identities, erase(f, "D").Identities)

	f.RequireBumped(true, func() { require.NoError(t, hashing(false)) })
	require.Nil(t, key())
	require.Equal(t, identities, erase(f, "d").Identities, "data under the hash is still there")
	require.NoError(t, hashing(true))
	require.Equal(t, first, key(), "the devices keep their hashes")
}

func TestHashingDoesNotChangeUnderARollout(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	f.MustRollOut()
	_, err := f.UpdateSettings(t.Context(), f.Demo.ID, storetest.Alice, models.SettingsPatch{HashIDs: new(true)})
	require.Equal(t, models.CodeRolloutInProgress, models.CodeOf(err))
}

func TestTelemetryIsSweptNowAndThen(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	sweeps := func() []models.Aged {
		due, err := f.DueSweeps(t.Context())
		require.NoError(t, err)
		return due
	}
	require.Empty(t, sweeps())
	for _, bad := range []int{0, -1, 366} {
		_, err := f.UpdateSettings(t.Context(), f.Demo.ID, storetest.Alice,
			models.SettingsPatch{TelemetryRetentionDays: models.Nullable[int]{Set: true, Value: &bad}})
		require.Equal(t, models.CodeInvalid, models.CodeOf(err))
	}
	days := 14
	settings, err := f.UpdateSettings(t.Context(), f.Demo.ID, storetest.Alice,
		models.SettingsPatch{TelemetryRetentionDays: models.Nullable[int]{Set: true, Value: &days}})
	require.NoError(t, err)
	require.Equal(t, 14, *settings.TelemetryRetentionDays)
	require.Equal(t, []models.Aged{{ProjectID: f.Demo.ID, Days: 14}}, sweeps())
	require.Empty(t, sweeps())
	require.NoError(t, f.SweepFailed(t.Context(), f.Demo.ID))
	require.Len(t, sweeps(), 1)
	f.MustExec("UPDATE projects SET telemetry_swept_at = now() - interval '7 hours'")
	require.Len(t, sweeps(), 1)
}
