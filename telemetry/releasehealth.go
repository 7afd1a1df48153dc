package telemetry

import (
	"context"
	"slices"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// healthBatch is how many releases one question is about: parameters travel in the URL.
const healthBatch = 100

// ReleaseHealth is the health of one release; see ReleasesHealth.
func (c *ClickHouse) ReleaseHealth(ctx context.Context, q models.HealthQuery) (models.ReleaseHealth, error) {
	health, err := c.ReleasesHealth(ctx, []models.HealthQuery{q})
	if err != nil {
		return models.ReleaseHealth{}, err
	}
	return health[0], nil
}

// ReleasesHealth is, for each query, what devices that Waft served the release, and that
// lie in its share, reported of it since q.Since: exact distinct devices, errors within
// 24 h of a device's first report on the release (contract, sections 5 and 6). Devices
// that reported without being both are counted apart. Compared is filled as q.Control
// asks. No two queries may be about the same release. It fails with a models Unavailable
// error while ClickHouse is away.
func (c *ClickHouse) ReleasesHealth(ctx context.Context, queries []models.HealthQuery) ([]models.ReleaseHealth, error) {
	all := make([]models.ReleaseHealth, 0, len(queries))
	for batch := range slices.Chunk(queries, healthBatch) {
		health, err := c.batchHealth(ctx, batch)
		if err != nil {
			return nil, err
		}
		all = append(all, health...)
	}
	return all, nil
}

func (c *ClickHouse) batchHealth(ctx context.Context, queries []models.HealthQuery) ([]models.ReleaseHealth, error) {
	health := make([]models.ReleaseHealth, len(queries))
	args := healthArgs(queries, func(q models.HealthQuery) time.Time { return q.Since })
	var rows []struct {
		Number     uint32 `ch:"number"`
		Devices    uint64 `ch:"devices"`
		Launches   uint64 `ch:"all_launches"`
		Errored    uint64 `ch:"errored"`
		Crashed    uint64 `ch:"crashed"`
		Carried    uint64 `ch:"carried"`
		NotServed  uint64 `ch:"not_served"`
		NotInShare uint64 `ch:"not_in_share"`
	}
	if err := c.selectHealth(ctx, queries, &rows, sqlReleaseDevices, args); err != nil {
		return nil, err
	}
	carried := map[uint32]bool{}
	for _, r := range rows {
		health[r.Number-1] = models.ReleaseHealth{
			Devices: int64(r.Devices), Launches: int64(r.Launches), ErroredDevices: int64(r.Errored), CrashedDevices: int64(r.Crashed),
			NotServedDevices: int64(r.NotServed), NotInShareDevices: int64(r.NotInShare),
		}
		if r.Carried > 0 {
			carried[r.Number] = true
		}
	}
	if len(carried) > 0 {
		if err := c.addCarried(ctx, queries, args, carried, health); err != nil {
			return nil, err
		}
	}
	var limited []struct {
		Number  uint32 `ch:"number"`
		Limited uint64 `ch:"limited"`
	}
	if err := c.selectHealth(ctx, queries, &limited, sqlLimitedDevices, args); err != nil {
		return nil, err
	}
	for _, r := range limited {
		health[r.Number-1].RateLimitedDevices = int64(r.Limited)
	}
	return health, c.addCompared(ctx, queries, health)
}

// addCarried adds what devices reported that had a release before its rollout began.
func (c *ClickHouse) addCarried(
	ctx context.Context, queries []models.HealthQuery, args []driver.NamedValue, carried map[uint32]bool, health []models.ReleaseHealth,
) error {
	var errors []struct {
		Number  uint32 `ch:"number"`
		Errored uint64 `ch:"errored"`
		Crashed uint64 `ch:"crashed"`
	}
	if err := c.selectHealth(ctx, queries, &errors, sqlCarriedErrors, args); err != nil {
		return err
	}
	for _, r := range errors {
		h := &health[r.Number-1]
		// The reads see different moments; a device that came in between must not make more
		// devices errored than there are.
		h.ErroredDevices = min(h.ErroredDevices+int64(r.Errored), h.Devices)
		h.CrashedDevices = min(h.CrashedDevices+int64(r.Crashed), h.Devices)
	}
	var launches []struct {
		Number   uint32 `ch:"number"`
		Launches uint64 `ch:"all_launches"`
	}
	if err := c.selectHealth(ctx, queries, &launches, sqlCarriedLaunches, args); err != nil {
		return err
	}
	for number := range carried {
		health[number-1].Launches = 0
	}
	for _, r := range launches {
		if carried[r.Number] {
			health[r.Number-1].Launches = int64(r.Launches)
		}
	}
	return nil
}

// addCompared adds the comparison with devices outside the share, where it is asked for.
func (c *ClickHouse) addCompared(ctx context.Context, queries []models.HealthQuery, health []models.ReleaseHealth) error {
	var asked []models.HealthQuery
	var places []int
	for i, q := range queries {
		if q.Control != nil {
			asked, places = append(asked, q), append(places, i)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	args := healthArgs(asked, func(q models.HealthQuery) time.Time { return q.Control.Since })
	var channels, platforms, runtimeVersions []string
	for _, q := range asked {
		channels, platforms = append(channels, q.Control.Channel), append(platforms, string(q.Control.Platform))
		runtimeVersions = append(runtimeVersions, q.Control.RuntimeVersion)
	}
	args = append(args, clickhouse.Named("channels", channels), clickhouse.Named("platforms", platforms),
		clickhouse.Named("runtime_versions", runtimeVersions))
	var rows []struct {
		Number  uint32 `ch:"number"`
		Inside  bool   `ch:"in_share"`
		Devices uint64 `ch:"devices"`
		Errored uint64 `ch:"errored"`
		Crashed uint64 `ch:"crashed"`
	}
	if err := c.selectHealth(ctx, asked, &rows, sqlComparedDevices, args); err != nil {
		return err
	}
	for _, r := range rows {
		compared := &health[places[r.Number-1]].Compared
		group := &compared.Outside
		if r.Inside {
			group = &compared.Inside
		}
		*group = models.GroupHealth{Devices: int64(r.Devices), ErroredDevices: int64(r.Errored), CrashedDevices: int64(r.Crashed)}
	}
	return nil
}

// selectHealth runs one of the health queries; it sees the rows of the queries' projects
// alone.
func (c *ClickHouse) selectHealth(
	ctx context.Context, queries []models.HealthQuery, dest any, query string, args []driver.NamedValue,
) error {
	projects := make([]int64, len(queries))
	for i, q := range queries {
		projects[i] = q.ProjectID
	}
	named := make([]any, len(args))
	for i, a := range args {
		named[i] = a
	}
	if err := c.conn.Select(seeingOnly(ctx, projects...), dest, query, named...); err != nil {
		return queryError("read the health of releases", err)
	}
	return nil
}

// healthArgs are the parameters that the health queries share, an element for each
// release; since is the moment from which reports count.
func healthArgs(queries []models.HealthQuery, since func(models.HealthQuery) time.Time) []driver.NamedValue {
	n := len(queries)
	numbers, projects, thresholds := make([]uint32, n), make([]int64, n), make([]uint32, n)
	updates, salts, moments := make([]string, n), make([]string, n), make([]string, n)
	for i, q := range queries {
		numbers[i], projects[i], thresholds[i] = uint32(i+1), q.ProjectID, rollout.Threshold(q.Percentage)
		updates[i], salts[i], moments[i] = q.UpdateUUID, q.Salt, since(q).UTC().Format(millisecondFormat)
	}
	return []driver.NamedValue{
		clickhouse.Named("numbers", numbers), clickhouse.Named("projects", projects), clickhouse.Named("threshold", thresholds),
		clickhouse.Named("updates", updates), clickhouse.Named("salt", salts), clickhouse.Named("since", moments),
	}
}
