package telemetry

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/models"
)

const (
	// maxStreams is the maximum number of streams in an overview. Reports with invented names could create many.
	maxStreams = 500
	// maxStreamUpdates is the maximum number of releases of all streams together.
	maxStreamUpdates = 10_000
	// fewSampled is the minimum number of devices of a stream in a sample. With more, a percentage of the stream's
	// devices has a standard error of at most 5 percentage points.
	fewSampled = 100
)

// StreamQueries are the queries about targets (called streams): the activity of their devices, and refused requests.
type StreamQueries struct{ *database }

// streamRow has the columns of all queries about streams. Each query fills some of them.
type streamRow struct {
	Channel        string `ch:"channel"`
	Platform       string `ch:"platform"`
	RuntimeVersion string `ch:"runtime_version"`
	UpdateUUID     string `ch:"update_uuid"`
	Devices        uint64 `ch:"devices"`
	Errored        uint64 `ch:"errored"`
	Crashed        uint64 `ch:"crashed"`
}

func (r streamRow) stream() models.Stream {
	return models.Stream{Channel: r.Channel, Platform: models.Platform(r.Platform), RuntimeVersion: r.RuntimeVersion}
}

// StreamActivity returns the activity of the devices of each of the project's streams in this hour and the 23 hours
// before, in no particular order, at most 500 streams. Devices and releases are exact if the project has at most
// 150,000 known devices, and estimated above. Rates are as exact as in a timeseries. StreamActivity returns a
// models.Unavailable error while ClickHouse is unavailable.
func (s StreamQueries) StreamActivity(ctx context.Context, projectID int64, now time.Time) ([]models.StreamActivity, error) {
	from := now.UTC().Truncate(time.Hour).Add(-(models.OverviewHours - 1) * time.Hour)
	args := []driver.NamedValue{second("from", from), clickhouse.Named("most", uint32(maxStreams))}
	var counts, refused, updates []streamRow
	var exact bool
	g, asking := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		counts, err = selectOf[streamRow](asking, s.database, projectID, "the devices of streams", sqlStreamCounts, args...)
		return err
	})
	g.Go(func() (err error) {
		refused, err = selectOf[streamRow](asking, s.database, projectID, "the refused devices of streams", sqlStreamRefused, args...)
		return err
	})
	g.Go(func() (err error) {
		updates, exact, err = s.streamUpdates(asking, projectID, from)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	found := streams{}
	for _, r := range counts {
		found.of(r).Reported = deviceCounts(r.Devices, r.Errored, r.Crashed)
	}
	for _, r := range refused {
		found.of(r).Refused = int64(r.Devices)
	}
	found.addUpdates(updates)
	if !exact {
		small, err := s.smallStreamUpdates(ctx, projectID, from, found.few())
		if err != nil {
			return nil, err
		}
		found.addUpdates(small)
		found.scale()
	}
	return found.all(), nil
}

// streamUpdates returns the devices by stream and release. exact is true if they are all devices, not a sample.
func (s StreamQueries) streamUpdates(ctx context.Context, projectID int64, from time.Time) (rows []streamRow, exact bool, err error) {
	share, err := s.sampleShare(ctx, projectID)
	if err != nil {
		return nil, false, err
	}
	rows, err = selectOf[streamRow](ctx, s.database, projectID, "the releases of streams", sqlStreamUpdates, second("from", from),
		clickhouse.Named("share", uint32(share)), clickhouse.Named("most", uint32(maxStreamUpdates)))
	return rows, share == wholeShare, err
}

func (s StreamQueries) smallStreamUpdates(
	ctx context.Context, projectID int64, from time.Time, of []models.Stream,
) ([]streamRow, error) {
	if len(of) == 0 {
		return nil, nil
	}
	channels, platforms, runtimeVersions := make([]string, len(of)), make([]string, len(of)), make([]string, len(of))
	for i, stream := range of {
		channels[i], platforms[i], runtimeVersions[i] = stream.Channel, string(stream.Platform), stream.RuntimeVersion
	}
	return selectOf[streamRow](ctx, s.database, projectID, "the releases of small streams", sqlSmallStreamUpdates, second("from", from),
		clickhouse.Named("channels", channels), clickhouse.Named("platforms", platforms),
		clickhouse.Named("runtime_versions", runtimeVersions), clickhouse.Named("most", uint32(maxStreamUpdates)))
}

// streams collects the activity from several queries.
type streams map[models.Stream]*models.StreamActivity

func (s streams) of(r streamRow) *models.StreamActivity {
	name := r.stream()
	if s[name] == nil {
		s[name] = &models.StreamActivity{Stream: name}
	}
	return s[name]
}

func (s streams) addUpdates(rows []streamRow) {
	for _, r := range rows {
		a := s.of(r)
		a.Devices += int64(r.Devices)
		a.Updates = append(a.Updates, models.UpdateDevices{
			UpdateUUID: r.UpdateUUID, Platform: a.Platform, RuntimeVersion: a.RuntimeVersion, Devices: int64(r.Devices),
		})
	}
}

// few returns the streams with too few devices in the sample, and removes their devices.
func (s streams) few() (names []models.Stream) {
	for name, a := range s {
		if a.Devices < fewSampled && a.Reported.Devices > 0 {
			a.Devices, a.Updates = 0, nil
			names = append(names, name)
		}
	}
	slices.SortFunc(names, models.Stream.Compare)
	return names
}

// scale scales the devices of samples to whole streams: the releases keep their percentages of the devices that
// reported.
func (s streams) scale() {
	for _, a := range s {
		if a.Devices == 0 {
			continue
		}
		sampled, left := a.Devices, a.Reported.Devices
		a.Devices = left
		for i := range slices.Backward(a.Updates) { // the largest release, at index 0, gets the rest after rounding
			a.Updates[i].Devices = min(left, a.Updates[i].Devices*a.Devices/sampled)
			if i == 0 {
				a.Updates[i].Devices = left
			}
			left -= a.Updates[i].Devices
		}
	}
}

func (s streams) all() []models.StreamActivity {
	all := make([]models.StreamActivity, 0, len(s))
	for _, a := range s {
		slices.SortStableFunc(a.Updates, func(x, y models.UpdateDevices) int { return cmp.Compare(y.Devices, x.Devices) })
		all = append(all, *a)
	}
	return all
}
