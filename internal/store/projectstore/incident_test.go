package projectstore_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestASpikeOpensOneIncident(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	spike := storetest.NewIncident(f, "production")
	var first models.Incident
	race := make(chan bool)
	for range 4 { // as many processes find it at the same time
		go func() {
			i, opened, err := f.OpenIncident(t.Context(), spike)
			if opened {
				first = i
			}
			race <- err == nil && opened
		}()
	}
	opened := 0
	for range 4 {
		if <-race {
			opened++
		}
	}
	require.Equal(t, 1, opened)

	open, err := f.OpenIncidents(t.Context())
	require.NoError(t, err)
	require.Len(t, open[f.Demo.ID], 1)
	entries, err := f.ListAudit(t.Context(), f.Demo.ID, models.AuditFilter{Action: "incident.opened"}, models.Page{})
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, models.ActorSystem, entries[0].ActorType)
	require.InDelta(t, 40, entries[0].Details["errorRate"], 0)

	now, flag, variation := time.Now().UTC().Truncate(time.Millisecond), "checkout", "true"
	first.ErroredDevices, first.FlagKey, first.FlagVariation = 20, &flag, &variation
	require.NoError(t, f.SaveIncident(t.Context(), first))
	first.ErroredDevices, first.CrashedDevices = 1, 0
	first.Resolve(models.ResolvedByRecovery, now)
	for range 2 { // a second process closes it as well
		require.NoError(t, f.SaveIncident(t.Context(), first))
	}
	entries, err = f.ListAudit(t.Context(), f.Demo.ID, models.AuditFilter{Action: "incident.resolved"}, models.Page{})
	require.NoError(t, err)
	require.Len(t, entries, 1)

	_, again, err := f.OpenIncident(t.Context(), spike)
	require.NoError(t, err)
	require.False(t, again, "a process that looked before the incident was closed does not open it again")
	entries, err = f.ListAudit(t.Context(), f.Demo.ID, models.AuditFilter{Action: "incident.opened"}, models.Page{})
	require.NoError(t, err)
	require.Len(t, entries, 1)
	spike.OpenedAt = now.Add(time.Millisecond)
	_, again, err = f.OpenIncident(t.Context(), spike)
	require.NoError(t, err)
	require.True(t, again, "it may come back")
	for status, want := range map[models.IncidentStatus]int{"": 2, models.IncidentResolved: 1, models.IncidentClosed: 0} {
		incidents, err := f.ListIncidents(t.Context(), f.Demo.ID, status, models.Page{})
		require.NoError(t, err)
		require.Len(t, incidents, want)
	}
	incidents, err := f.ListIncidents(t.Context(), f.Demo.ID, models.IncidentOpen, models.Page{})
	require.NoError(t, err)
	require.Len(t, incidents, 1)
	require.Equal(t, models.IncidentOpen, incidents[0].Status())
	require.Equal(t, models.IncidentResolved, first.Status())

	other := f.NewProject("other")
	incidents, err = f.ListIncidents(t.Context(), other.ID, "", models.Page{})
	require.NoError(t, err)
	require.Empty(t, incidents)
	require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, f.Demo.Slug))
}

// A process closes an incident while another process, which checked earlier, still sees the spike that caused it.
func TestAClosedIncidentIsNotOpenedByAnOlderCheck(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	spike := storetest.NewIncident(f, "production")
	incident, _, err := f.OpenIncident(t.Context(), spike)
	require.NoError(t, err)
	incident.Resolve(models.ResolvedByRecovery, spike.OpenedAt.Add(time.Second))
	opened := true
	closeErr, openErr := storetest.Duel(f,
		"INSERT INTO audit",
		func(s *store.Store) error { return s.SaveIncident(t.Context(), incident) },
		func(s *store.Store) (err error) {
			spike.OpenedAt = spike.OpenedAt.Add(500 * time.Millisecond)
			_, opened, err = s.OpenIncident(t.Context(), spike)
			return err
		})
	require.NoError(t, closeErr)
	require.NoError(t, openErr)
	require.False(t, opened)
	open, err := f.OpenIncidents(t.Context())
	require.NoError(t, err)
	require.Empty(t, open)
}

// An incident that did not recover is about errors that are still in the last hour.
func TestAnEndedIncidentDoesNotOpenForTheSameErrors(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	opens := func(spike models.Incident, after time.Duration) bool {
		spike.OpenedAt = spike.OpenedAt.Add(after)
		_, opened, err := f.OpenIncident(t.Context(), spike)
		require.NoError(t, err)
		return opened
	}
	closed := storetest.NewIncident(f, "production")
	i, _, err := f.OpenIncident(t.Context(), closed)
	require.NoError(t, err)
	for range 2 { // closing it again has no effect
		i, err = f.UpdateIncident(t.Context(), f.Demo.ID, storetest.Alice, i.ID, models.IncidentPatch{Close: true})
		require.NoError(t, err)
		require.Equal(t, models.IncidentClosed, i.Status())
	}
	entries, err := f.ListAudit(t.Context(), f.Demo.ID, models.AuditFilter{Action: "incident.closed"}, models.Page{})
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.EqualValues(t, models.ResolvedByPerson, entries[0].Details["resolution"])
	require.False(t, opens(closed, 59*time.Minute))
	require.True(t, opens(closed, 61*time.Minute))

	rolledBack := storetest.NewIncident(f, "beta")
	i, _, err = f.OpenIncident(t.Context(), rolledBack)
	require.NoError(t, err)
	i.Resolve(models.ResolvedByRollback, i.OpenedAt)
	require.NoError(t, f.SaveIncident(t.Context(), i))
	require.False(t, opens(rolledBack, 59*time.Minute))
	rolledBack.WithdrawnAt = &rolledBack.OpenedAt
	require.False(t, opens(rolledBack, 61*time.Minute), "devices still do not get the release")
	rolledBack.WithdrawnAt = nil
	require.True(t, opens(rolledBack, 61*time.Minute))
}

func TestReleasesOf(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	r := f.MustPublish()
	other := f.NewProject("other")
	updates := []string{r.UpdateUUID.String(), uuid.NewString(), "no uuid"}
	releases, err := f.ReleasesOf(t.Context(), f.Demo.ID, updates)
	require.NoError(t, err)
	require.Len(t, releases, 1)
	require.Equal(t, r.ID, releases[r.UpdateUUID.String()].ID)
	require.Equal(t, r.BranchName, releases[r.UpdateUUID.String()].BranchName)
	require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, r.ID))
	releases, err = f.ReleasesOf(t.Context(), f.Demo.ID, updates)
	require.NoError(t, err)
	require.Len(t, releases, 1, "devices still run the release")
	releases, err = f.ReleasesOf(t.Context(), other.ID, updates)
	require.NoError(t, err)
	require.Empty(t, releases)
}
