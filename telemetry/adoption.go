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
	// Whole is 1 in the row of all releases together.
	Whole          uint64 `ch:"whole"`
	UpdateUUID     string `ch:"update_uuid"`
	Platform       string `ch:"platform"`
	RuntimeVersion string `ch:"runtime_version"`
	// Found is how many devices of the sample there are.
	Found uint64 `ch:"found"`

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

type adoptionUpdatesCost struct {
	Devices uint64 `ch:"devices"`
}

// Adoption is which releases the project's devices run, over the last days of which
// that of now is the last. It fails with a models Unavailable error while ClickHouse
// is away.
func (c *ClickHouse) Adoption(ctx context.Context, projectID int64, days int, now time.Time) (models.Adoption, error) {
	from := startOfDay(now, days-1)
	args := []driver.NamedValue{second("from", from), clickhouse.Named("most", uint32(mostUpdates))}
	a := models.Adoption{Days: days}
	var daily []adoptionDayRow
	var exactUpdates, exactDays, exactDownloads bool
	g, asking := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		exactUpdates, err = c.adoptionUpdates(asking, projectID, &a, args)
		return err
	})
	g.Go(func() (err error) {
		daily, exactDays, err = c.adoptionDays(asking, projectID, now, args)
		return err
	})
	g.Go(func() (err error) {
		exactDownloads, err = c.downloads(asking, projectID, &a, from, args)
		return err
	})
	if err := g.Wait(); err != nil {
		return a, err
	}
	a.Exact = exactUpdates && exactDays && exactDownloads
	for _, r := range daily {
		a.ByDay = append(a.ByDay, models.UpdateDay{Day: r.Time.UTC(), UpdateUUID: r.UpdateUUID, Devices: int64(r.Devices)})
	}
	return a, nil
}

// wholeShare is the share, in 65,536ths, of a sample that has every device.
const wholeShare = 1 << 16

// adoptionUpdates fills in the devices by what they last reported, and reports whether
// they are exact: of many devices a sample is counted, whose cost does not grow with them.
// A share of devices then has a standard error of at most 0.13 percentage points.
func (c *ClickHouse) adoptionUpdates(ctx context.Context, projectID int64, a *models.Adoption, args []driver.NamedValue) (exact bool, err error) {
	var cost []adoptionUpdatesCost
	if err := c.selectOf(ctx, projectID, "adoption", &cost, sqlAdoptionUpdatesCost); err != nil {
		return false, err
	}
	share := uint64(wholeShare)
	if cost[0].Devices > c.exactRows {
		share = min(wholeShare, max(1, share*c.sampledDevices/cost[0].Devices))
	}
	var rows []adoptionUpdateRow
	err = c.selectOf(ctx, projectID, "adoption", &rows, sqlAdoptionUpdates, append(args, clickhouse.Named("share", uint32(share)))...)
	if err != nil {
		return false, err
	}
	for _, r := range rows {
		devices := int64(r.Found * wholeShare / share)
		if r.Whole == 1 {
			a.ActiveDevices = devices
			continue
		}
		a.Updates = append(a.Updates, models.UpdateDevices{
			UpdateUUID: r.UpdateUUID, Platform: models.Platform(r.Platform), RuntimeVersion: r.RuntimeVersion, Devices: devices,
		})
	}
	return share == wholeShare, nil
}

// adoptionDays are the devices of each release and day, exact where few reports stand
// behind them.
func (c *ClickHouse) adoptionDays(
	ctx context.Context, projectID int64, now time.Time, args []driver.NamedValue,
) (days []adoptionDayRow, exact bool, err error) {
	reports, err := c.dailyReports(ctx, projectID, args[0], now)
	if err != nil {
		return nil, false, err
	}
	query := sqlAdoptionDays
	if exact = reports <= c.exactRows; exact {
		query = sqlAdoptionDaysExact
	}
	err = c.selectOf(ctx, projectID, "adoption", &days, query, args...)
	return days, exact, err
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
