package telemetry

import (
	"context"
	"slices"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/models"
)

// readObservations is the approximate number of observations that a query reads of a rollout, however many are
// stored.
const readObservations = 2000

type rolloutObservationRow struct {
	At             time.Time `ch:"first_at"`
	StageIndex     uint16    `ch:"stage_index"`
	Percentage     float64   `ch:"percentage"`
	Devices        uint64    `ch:"devices"`
	ErroredDevices uint64    `ch:"errored_devices"`
	CrashedDevices uint64    `ch:"crashed_devices"`
	Evidence       float64   `ch:"evidence"`
	IgnoredDevices uint64    `ch:"ignored_devices"`

	EventNames      []string `ch:"event_names"`
	EventDirections []string `ch:"event_directions"`
	EventDevices    []uint64 `ch:"event_devices"`
	EventReported   []uint64 `ch:"event_reported"`
}

func (r rolloutObservationRow) events() []models.EventCounts {
	var events []models.EventCounts
	for i, name := range r.EventNames {
		events = append(events, models.EventCounts{
			Name: name, Direction: models.EventDirection(r.EventDirections[i]),
			Devices: int64(r.EventDevices[i]), ReportedDevices: int64(r.EventReported[i]),
		})
	}
	return events
}

// RolloutObservations returns the observations of a rollout between two times, newest first, at most limit. If there
// are more, it returns the first of each stage and others at even intervals. It returns a models.Unavailable error
// while ClickHouse is unavailable.
func (h HealthQueries) RolloutObservations(
	ctx context.Context, projectID, executionID int64, from, until time.Time, limit int,
) ([]models.RolloutObservation, error) {
	interval := max(1, until.Sub(from).Milliseconds()/readObservations)
	rows, err := selectOf[rolloutObservationRow](ctx, h.database, projectID, "the observations of a rollout", sqlRolloutObservations,
		clickhouse.Named("execution_id", executionID), milli("from", from), clickhouse.Named("interval", interval),
		clickhouse.Named("most", uint32(2*readObservations)))
	if err != nil {
		return nil, err
	}
	all := make([]models.RolloutObservation, len(rows))
	for i, r := range rows {
		all[i] = models.RolloutObservation{
			ProjectID: projectID, ExecutionID: executionID, At: r.At.UTC(), StageIndex: int(r.StageIndex), Percentage: r.Percentage,
			DeviceCounts: models.DeviceCounts{
				Devices: int64(r.Devices), ErroredDevices: int64(r.ErroredDevices), CrashedDevices: int64(r.CrashedDevices),
			},
			Evidence: r.Evidence, IgnoredDevices: int64(r.IgnoredDevices), Events: r.events(),
		}
	}
	return slices.Clip(models.ThinObservations(all, limit)), nil
}
