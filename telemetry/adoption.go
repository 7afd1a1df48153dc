package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/models"
)

type adoptionUpdateRow struct {
	// Whole is 1 in the row of all releases together, which has only Reports and Devices.
	Whole          uint64 `ch:"whole"`
	UpdateUUID     string `ch:"update_uuid"`
	Platform       string `ch:"platform"`
	RuntimeVersion string `ch:"runtime_version"`
	Reports        uint64 `ch:"reports"`
	Devices        uint64 `ch:"devices"`

	// What the rows are told apart by.
	EmbeddedPlatform       string `ch:"embedded_platform"`
	EmbeddedRuntimeVersion string `ch:"embedded_runtime_version"`
}

type adoptionDayRow struct {
	Time       time.Time `ch:"time"`
	UpdateUUID string    `ch:"update_uuid"`
	Devices    uint64    `ch:"devices"`
}

type downloadsRow struct {
	Time      time.Time `ch:"time"`
	Downloads uint64    `ch:"downloads"`
	Devices   uint64    `ch:"devices"`
	Serves    uint64    `ch:"serves"`
}

type downloadsCost struct {
	Serves uint64 `ch:"serves"`
}

// Adoption is which releases the project's devices run, over the last days of which
// that of now is the last. It fails with a models Unavailable error while ClickHouse
// is away.
func (c *ClickHouse) Adoption(ctx context.Context, projectID int64, days int, now time.Time) (models.Adoption, error) {
	from := startOfDay(now, days-1)
	args := []driver.NamedValue{
		second("from", from),
		second("monday", firstMonday(from)),
		clickhouse.Named("most", uint32(mostUpdates)),
	}
	a := models.Adoption{Days: days}
	var updates []adoptionUpdateRow
	var daily []adoptionDayRow
	var exact bool
	// Sketches of a small project cost next to nothing, so nobody waits for what tells
	// whether they are wanted.
	g, asking := errgroup.WithContext(ctx)
	g.Go(func() error { return c.selectOf(asking, projectID, "adoption", &updates, sqlAdoptionUpdates, args...) })
	g.Go(func() error { return c.selectOf(asking, projectID, "adoption", &daily, sqlAdoptionDays, args...) })
	g.Go(func() (err error) {
		exact, err = c.downloads(asking, projectID, &a, from, args)
		return err
	})
	if err := g.Wait(); err != nil {
		return a, err
	}
	var reports uint64
	for _, r := range updates {
		reports += r.Whole * r.Reports
	}
	if a.Exact = exact && reports <= c.exactRows; reports <= c.exactRows {
		updates, daily = nil, nil
		g, asking := errgroup.WithContext(ctx)
		g.Go(func() error {
			return c.selectOf(asking, projectID, "adoption", &updates, sqlAdoptionUpdatesExact, args...)
		})
		g.Go(func() error { return c.selectOf(asking, projectID, "adoption", &daily, sqlAdoptionDaysExact, args...) })
		if err := g.Wait(); err != nil {
			return a, err
		}
	}
	for _, r := range updates {
		if r.Whole == 1 {
			a.ActiveDevices = int64(r.Devices)
			continue
		}
		a.Updates = append(a.Updates, models.UpdateDevices{
			UpdateUUID: r.UpdateUUID, Platform: models.Platform(r.Platform), RuntimeVersion: r.RuntimeVersion,
			Devices: int64(r.Devices),
		})
	}
	for _, r := range daily {
		a.ByDay = append(a.ByDay, models.UpdateDay{Day: r.Time.UTC(), UpdateUUID: r.UpdateUUID, Devices: int64(r.Devices)})
	}
	return a, nil
}

// downloads fills in the downloads of every day from the given one on, and reports
// whether they are exact.
func (c *ClickHouse) downloads(
	ctx context.Context, projectID int64, a *models.Adoption, from time.Time, args []driver.NamedValue,
) (exact bool, err error) {
	a.Downloads = make([]models.DownloadDay, a.Days)
	for i := range a.Downloads {
		a.Downloads[i].Day = from.AddDate(0, 0, i)
	}
	var rows []downloadsRow
	if err := c.selectOf(ctx, projectID, "downloads", &rows, sqlDownloads, args...); err != nil {
		return false, err
	}
	var served uint64
	for _, r := range rows {
		served += r.Serves
	}
	if served <= c.exactRows { // what is counted may be much more, see downloads_cost.sql
		var cost []downloadsCost
		if err := c.selectOf(ctx, projectID, "downloads", &cost, sqlDownloadsCost, args...); err != nil {
			return false, err
		}
		exact = cost[0].Serves <= c.exactRows
	}
	if exact {
		rows = nil
		if err := c.selectOf(ctx, projectID, "downloads", &rows, sqlDownloadsExact, args...); err != nil {
			return false, err
		}
	}
	for _, r := range rows {
		if i := int(r.Time.Sub(from) / (24 * time.Hour)); i >= 0 && i < a.Days {
			a.Downloads[i].Downloads, a.Downloads[i].Devices = int64(r.Downloads), int64(r.Devices)
		}
	}
	return exact, nil
}
