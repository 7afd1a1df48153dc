package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/models"
)

type adoptionTotalRow struct {
	Reports uint64 `ch:"reports"`
	Devices uint64 `ch:"devices"`
}

type adoptionRow struct {
	Time           time.Time `ch:"time"`
	UpdateUUID     string    `ch:"update_uuid"`
	Platform       string    `ch:"platform"`
	RuntimeVersion string    `ch:"runtime_version"`
	Devices        uint64    `ch:"devices"`

	// What the rows are told apart by.
	EmbeddedPlatform       string `ch:"embedded_platform"`
	EmbeddedRuntimeVersion string `ch:"embedded_runtime_version"`
}

type downloadsRow struct {
	Time      time.Time `ch:"time"`
	Downloads uint64    `ch:"downloads"`
	Devices   uint64    `ch:"devices"`
	Cost      uint64    `ch:"cost"`
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
	read := func(dest any, query projectQuery) error {
		return c.selectOf(ctx, projectID, "adoption", dest, query, args...)
	}
	a := models.Adoption{Days: days}
	var totals []adoptionTotalRow
	if err := read(&totals, sqlAdoptionTotal); err != nil {
		return a, err
	}
	byUpdate, byDay := sqlAdoptionUpdates, sqlAdoptionDays
	if a.Exact = totals[0].Reports <= c.exactRows; a.Exact {
		byUpdate, byDay = sqlAdoptionUpdatesExact, sqlAdoptionDaysExact
		totals = nil
		if err := read(&totals, sqlAdoptionTotalExact); err != nil {
			return a, err
		}
	}
	a.ActiveDevices = int64(totals[0].Devices)
	var updates, daily []adoptionRow
	var exact bool
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return c.selectOf(ctx, projectID, "adoption", &updates, byUpdate, args...) })
	g.Go(func() error { return c.selectOf(ctx, projectID, "adoption", &daily, byDay, args...) })
	g.Go(func() (err error) {
		exact, err = c.downloads(ctx, projectID, &a, from, args)
		return err
	})
	if err := g.Wait(); err != nil {
		return a, err
	}
	for _, r := range updates {
		a.Updates = append(a.Updates, models.UpdateDevices{
			UpdateUUID: r.UpdateUUID, Platform: models.Platform(r.Platform), RuntimeVersion: r.RuntimeVersion,
			Devices: int64(r.Devices),
		})
	}
	for _, r := range daily {
		a.ByDay = append(a.ByDay, models.UpdateDay{Day: r.Time.UTC(), UpdateUUID: r.UpdateUUID, Devices: int64(r.Devices)})
	}
	a.Exact = a.Exact && exact
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
	if exact = len(rows) == 0 || rows[0].Cost <= c.exactRows; exact {
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
