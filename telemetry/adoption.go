package telemetry

import (
	"context"
	"slices"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/models"
)

// UsageQueries are the queries about the releases that a project's devices run and the reports that they send over
// days.
type UsageQueries struct{ *database }

// daySamples is the number of samples of devices that adoption by day reads, because a window has many days.
const daySamples = 4

type adoptionUpdateRow struct {
	// Whole is 1 in the row for all releases together.
	Whole          uint64 `ch:"whole"`
	UpdateUUID     string `ch:"update_uuid"`
	Platform       string `ch:"platform"`
	RuntimeVersion string `ch:"runtime_version"`
	// Devices counts the devices in the sample.
	Devices uint64 `ch:"devices"`

	// The query groups by these columns.
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
	Exposures uint64    `ch:"exposures"`
}

// Adoption returns the releases that the project's devices run, over the last days including the day of now. It
// returns a models.Unavailable error while ClickHouse is unavailable.
func (u UsageQueries) Adoption(ctx context.Context, projectID int64, days int, now time.Time) (models.Adoption, error) {
	from := startOfDay(now, days-1)
	args := []driver.NamedValue{second("from", from), clickhouse.Named("most", uint32(maxUpdates))}
	a := models.Adoption{Days: days}
	var exactUpdates, exactDays, exactDownloads bool
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		exactUpdates, err = u.adoptionUpdates(ctx, projectID, &a, args)
		return err
	})
	g.Go(func() (err error) {
		exactDays, err = u.adoptionDays(ctx, projectID, &a, args)
		return err
	})
	g.Go(func() (err error) {
		exactDownloads, err = u.downloads(ctx, projectID, &a, from, args)
		return err
	})
	err := g.Wait()
	a.Exact = exactUpdates && exactDays && exactDownloads
	return a, err
}

// adoptionUpdates sets the devices by the release in their last report, and returns whether the numbers are exact.
// For many devices it counts only a sample, so the cost does not grow with them. A percentage of devices then has a
// standard error of at most 0.13 percentage points.
func (u UsageQueries) adoptionUpdates(
	ctx context.Context, projectID int64, a *models.Adoption, args []driver.NamedValue,
) (exact bool, err error) {
	share, err := u.sampleShare(ctx, projectID)
	if err != nil {
		return false, err
	}
	args = append(slices.Clip(args), clickhouse.Named("share", uint32(share)))
	rows, err := selectOf[adoptionUpdateRow](ctx, u.database, projectID, "adoption", sqlAdoptionUpdates, args...)
	for _, r := range rows {
		devices := int64(r.Devices * wholeShare / share)
		if r.Whole == 1 {
			a.ActiveDevices = devices
			continue
		}
		a.Updates = append(a.Updates, models.UpdateDevices{
			UpdateUUID: r.UpdateUUID, Platform: models.Platform(r.Platform), RuntimeVersion: r.RuntimeVersion, Devices: devices,
		})
	}
	return share == wholeShare, err
}

// adoptionDays sets the devices for each release and day. Each device counts once a day, under the release that it
// reported last on that day. adoptionDays returns whether the numbers are exact, which they are for few devices. For many
// devices it counts only a sample.
func (u UsageQueries) adoptionDays(ctx context.Context, projectID int64, a *models.Adoption, args []driver.NamedValue) (exact bool, err error) {
	cost, err := selectOf[adoptionUpdateRow](ctx, u.database, projectID, "adoption", sqlAdoptionDaysCost, args...)
	if err != nil {
		return false, err
	}
	share := uint64(wholeShare)
	if cost[0].Devices > u.exactRows {
		share = min(wholeShare, max(1, wholeShare*daySamples*u.sampledDevices/cost[0].Devices))
	}
	rows, err := selectOf[adoptionDayRow](ctx, u.database, projectID, "adoption", sqlAdoptionDays,
		append(slices.Clip(args), clickhouse.Named("share", uint32(share)))...)
	for _, r := range rows {
		a.ByDay = append(a.ByDay, models.UpdateDay{
			Day: r.Time.UTC(), UpdateUUID: r.UpdateUUID, Devices: int64(r.Devices * wholeShare / share),
		})
	}
	return share == wholeShare, err
}

// downloads sets the downloads of every day since the given day, and returns whether they are exact.
func (u UsageQueries) downloads(
	ctx context.Context, projectID int64, a *models.Adoption, from time.Time, args []driver.NamedValue,
) (exact bool, err error) {
	a.Downloads = make([]models.DownloadDay, a.Days)
	for i := range a.Downloads {
		a.Downloads[i].Day = from.AddDate(0, 0, i)
	}
	rows, err := selectOf[downloadsRow](ctx, u.database, projectID, "downloads", sqlDownloads, args...)
	if err != nil {
		return false, err
	}
	var exposures uint64
	for _, r := range rows {
		exposures += r.Exposures
	}
	if exposures <= u.exactRows { // the exact query may read far more, see downloads_cost.sql
		cost, err := selectOf[downloadsRow](ctx, u.database, projectID, "downloads", sqlDownloadsCost, args...)
		if err != nil {
			return false, err
		}
		exact = cost[0].Exposures <= u.exactRows
	}
	if exact {
		if rows, err = selectOf[downloadsRow](ctx, u.database, projectID, "downloads", sqlDownloadsExact, args...); err != nil {
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

// wholeShare is the size of a sample with every device, in 65,536ths.
const wholeShare = 1 << 16

// sampleShare returns the fraction of the project's devices, in 65,536ths, that a query about all devices reads.
func (db *database) sampleShare(ctx context.Context, projectID int64) (uint64, error) {
	devices, err := recent(ctx, db.sizes, projectID, time.Now(), func(ctx context.Context) (uint64, error) {
		cost, err := selectOf[adoptionUpdateRow](ctx, db, projectID, "adoption", sqlAdoptionUpdatesCost)
		if err != nil {
			return 0, err
		}
		return cost[0].Devices, nil
	})
	if err != nil || devices <= db.exactRows {
		return wholeShare, err
	}
	return min(wholeShare, max(1, wholeShare*db.sampledDevices/devices)), nil
}
