package telemetry

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// healthBatch is the number of releases in one SQL query. Its parameters are part of the URL.
const healthBatch = 100

// HealthQueries are the queries about the health of releases, on which rollouts decide, and about the observations of
// rollouts.
type HealthQueries struct{ *database }

// ReleaseHealth returns the health of one release (see ReleasesHealth).
func (h HealthQueries) ReleaseHealth(ctx context.Context, q models.HealthQuery) (models.ReleaseHealth, error) {
	health, err := h.ReleasesHealth(ctx, []models.HealthQuery{q})
	if err != nil {
		return models.ReleaseHealth{}, err
	}
	return health[0], nil
}

// ReleasesHealth returns for each query the health of the release since q.Since. It counts the reports of devices
// that were served the release and are inside its rollout. The counts of distinct devices are exact, and errors count
// within 24 hours of a device's first report on the release. Reports of other devices are counted separately. The
// events are the events of q.Events, and Compared is set if q.Control is set. The queries must be about different
// releases. ReleasesHealth returns a models.Unavailable error while ClickHouse is unavailable.
func (h HealthQueries) ReleasesHealth(ctx context.Context, queries []models.HealthQuery) ([]models.ReleaseHealth, error) {
	all := make([]models.ReleaseHealth, 0, len(queries))
	for batch := range slices.Chunk(queries, healthBatch) {
		health, err := h.batchHealth(ctx, batch)
		if err != nil {
			return nil, err
		}
		all = append(all, health...)
	}
	return all, nil
}

// healthRow has the columns of all health queries. Each query fills some of them.
type healthRow struct {
	Number     uint32    `ch:"number"` // of the release in the parameters, from 1
	InShare    bool      `ch:"in_share"`
	Devices    uint64    `ch:"devices"`
	Launches   uint64    `ch:"all_launches"`
	Errored    uint64    `ch:"errored"`
	Crashed    uint64    `ch:"crashed"`
	Carried    uint64    `ch:"carried"`
	NotServed  uint64    `ch:"not_served"`
	NotInShare uint64    `ch:"not_in_share"`
	Limited    uint64    `ch:"limited"`
	Due        time.Time `ch:"due"`

	Networks    uint64 `ch:"networks"`
	Allocations uint64 `ch:"allocations"`
	Weight      uint64 `ch:"all_weight"`
	Capped      uint64 `ch:"capped"`
	Largest     uint64 `ch:"largest"`
	// Votes are in billionths. The columns of the largest votes are negative, because ClickHouse keeps the smallest
	// elements of a sort.
	ErroredSum        int64   `ch:"errored_sum"`
	ErroredAllocation int64   `ch:"errored_allocation"`
	ErroredHealthy    int64   `ch:"errored_healthy"`
	ErroredMost       []int64 `ch:"errored_most"`
	CrashedSum        int64   `ch:"crashed_sum"`
	CrashedAllocation int64   `ch:"crashed_allocation"`
	CrashedHealthy    int64   `ch:"crashed_healthy"`
	CrashedMost       []int64 `ch:"crashed_most"`
}

func (r healthRow) votes() models.Votes {
	return models.Votes{
		Networks: int64(r.Networks), Allocations: int64(r.Allocations), Weight: int64(r.Weight),
		CappedDevices: int64(r.Capped), LargestDevices: int64(r.Largest),
		Errored: tally(r.ErroredSum, r.ErroredAllocation, r.ErroredHealthy, r.ErroredMost),
		Crashed: tally(r.CrashedSum, r.CrashedAllocation, r.CrashedHealthy, r.CrashedMost),
	}
}

func tally(sum, allocation, healthy int64, most []int64) models.Tally {
	const billion = 1e9
	t := models.Tally{
		Sum: float64(sum) / billion, MostOfAllocation: float64(allocation) / billion, HealthyOfAllocation: float64(healthy) / billion,
	}
	for i, vote := range most {
		t.Most[i] = float64(-vote) / billion
	}
	return t
}

func (h HealthQueries) batchHealth(ctx context.Context, queries []models.HealthQuery) ([]models.ReleaseHealth, error) {
	health := make([]models.ReleaseHealth, len(queries))
	args := healthArgs(queries, func(q models.HealthQuery) time.Time { return q.Since })
	rows, err := h.selectHealth(ctx, queries, sqlReleaseDevices, args)
	if err != nil {
		return nil, err
	}
	withCarried := make([]bool, len(queries))
	var carried []models.HealthQuery
	var places []int
	for _, r := range rows {
		health[r.Number-1] = models.ReleaseHealth{
			Devices: int64(r.Devices), Launches: int64(r.Launches), ErroredDevices: int64(r.Errored), CrashedDevices: int64(r.Crashed),
			NotServedDevices: int64(r.NotServed), NotInShareDevices: int64(r.NotInShare), Votes: r.votes(),
		}
		if withCarried[r.Number-1] = r.Carried > 0; r.Carried > 0 {
			carried, places = append(carried, queries[r.Number-1]), append(places, int(r.Number-1))
		}
	}
	if len(carried) > 0 {
		found, err := h.carriedHealth(ctx, carried)
		if err != nil {
			return nil, err
		}
		for i, place := range places {
			health[place] = found[i]
		}
	}
	limited, err := h.selectHealth(ctx, queries, sqlLimitedDevices, args)
	if err != nil {
		return nil, err
	}
	for _, r := range limited {
		health[r.Number-1].RateLimitedDevices = int64(r.Limited)
	}
	if err := h.addEvents(ctx, queries, withCarried, health, time.Now()); err != nil {
		return nil, err
	}
	return health, h.addCompared(ctx, queries, health)
}

// carriedHealth returns the health of releases that devices had before their rollout began.
func (h HealthQueries) carriedHealth(ctx context.Context, queries []models.HealthQuery) ([]models.ReleaseHealth, error) {
	health := make([]models.ReleaseHealth, len(queries))
	args := healthArgs(queries, func(q models.HealthQuery) time.Time { return q.Since })
	rows, err := h.selectHealth(ctx, queries, sqlCarriedDevices, args)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		health[r.Number-1] = models.ReleaseHealth{
			Devices: int64(r.Devices), ErroredDevices: int64(r.Errored), CrashedDevices: int64(r.Crashed),
			NotServedDevices: int64(r.NotServed), NotInShareDevices: int64(r.NotInShare), Votes: r.votes(),
		}
	}
	launches, err := h.selectHealth(ctx, queries, sqlCarriedLaunches, args)
	for _, r := range launches {
		health[r.Number-1].Launches = int64(r.Launches)
	}
	return health, err
}

// addCompared adds the comparison with the control group to the queries with q.Control.
func (h HealthQueries) addCompared(ctx context.Context, queries []models.HealthQuery, health []models.ReleaseHealth) error {
	var compared []models.HealthQuery
	var places []int
	var channels, platforms, runtimeVersions []string
	for i, q := range queries {
		if q.Control != nil {
			compared, places = append(compared, q), append(places, i)
			channels, platforms = append(channels, q.Control.Channel), append(platforms, string(q.Control.Platform))
			runtimeVersions = append(runtimeVersions, q.Control.RuntimeVersion)
		}
	}
	if len(compared) == 0 {
		return nil
	}
	args := healthArgs(compared, func(q models.HealthQuery) time.Time { return q.Control.Since })
	args = append(args, clickhouse.Named("channels", channels), clickhouse.Named("platforms", platforms),
		clickhouse.Named("runtime_versions", runtimeVersions))
	rows, err := h.selectHealth(ctx, compared, sqlComparedDevices, args)
	if err != nil {
		return err
	}
	for _, r := range rows {
		group := &health[places[r.Number-1]].Compared.Outside
		if r.InShare {
			group = &health[places[r.Number-1]].Compared.Inside
		}
		*group = models.GroupHealth{
			Devices: int64(r.Devices), ErroredDevices: int64(r.Errored), CrashedDevices: int64(r.Crashed), Votes: r.votes(),
		}
	}
	return nil
}

// selectHealth runs one of the health queries. It sees only rows of the queries' projects.
func (h HealthQueries) selectHealth(
	ctx context.Context, queries []models.HealthQuery, query string, args []driver.NamedValue,
) ([]healthRow, error) {
	projects := make([]int64, len(queries))
	for i, q := range queries {
		projects[i] = q.ProjectID
	}
	return selectSeeing[healthRow](ctx, h.database, projects, "the health of releases", query, args)
}

// healthArgs returns the parameters that the health queries share, with an element for each release. since returns
// the time from which reports count.
func healthArgs(queries []models.HealthQuery, since func(models.HealthQuery) time.Time) []driver.NamedValue {
	n := len(queries)
	numbers, projects, thresholds := make([]uint32, n), make([]int64, n), make([]uint32, n)
	updates, salts, moments := make([]string, n), make([]string, n), make([]string, n)
	perNetwork, perAllocation, allocationVotes := make([]uint64, n), make([]uint64, n), make([]uint64, n)
	for i, q := range queries {
		numbers[i], projects[i], thresholds[i] = uint32(i+1), q.ProjectID, rollout.Threshold(q.Percentage)
		updates[i], salts[i], moments[i] = q.UpdateUUID, q.Salt, since(q).UTC().Format(millisecondFormat)
		perNetwork[i], perAllocation[i] = uint64(max(0, q.MaxPerNetwork)), uint64(max(0, q.MaxPerAllocation))
		if allocationVotes[i] = uint64(max(0, q.AllocationVotes)); q.AllocationVotes == 0 {
			perAllocation[i], allocationVotes[i] = math.MaxInt64, math.MaxInt64
		}
	}
	return []driver.NamedValue{
		clickhouse.Named("numbers", numbers), clickhouse.Named("projects", projects), clickhouse.Named("threshold", thresholds),
		clickhouse.Named("updates", updates), clickhouse.Named("salt", salts), clickhouse.Named("since", moments),
		clickhouse.Named("max_per_network", perNetwork), clickhouse.Named("max_per_allocation", perAllocation),
		clickhouse.Named("allocation_votes", allocationVotes),
	}
}
