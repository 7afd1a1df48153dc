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

// overviewFrom returns the start of the period of an overview: of this hour and the 23 hours before.
func overviewFrom(now time.Time) time.Time {
	return now.UTC().Truncate(time.Hour).Add(-(models.OverviewHours - 1) * time.Hour)
}

// StreamActivity returns the activity of the devices of each of the project's streams in this hour and the 23 hours
// before, in no particular order, at most 500 streams. Devices and releases are exact if the project has at most
// 150,000 known devices, and estimated above. StreamActivity returns a models.Unavailable error while ClickHouse is
// unavailable.
func (s StreamQueries) StreamActivity(ctx context.Context, projectID int64, now time.Time) ([]models.StreamActivity, error) {
	from := overviewFrom(now)
	args := []driver.NamedValue{second("from", from), clickhouse.Named("most", uint32(maxStreams))}
	var reported, refused, updates []streamRow
	var share uint64
	g, asking := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		refused, err = selectOf[streamRow](asking, s.database, projectID, "the refused devices of streams", sqlStreamRefused, args...)
		return err
	})
	g.Go(func() (err error) {
		if share, err = s.sampleShare(asking, projectID); err != nil {
			return err
		}
		if share < wholeShare { // the numbers of devices that samples are scaled to
			g.Go(func() (err error) {
				reported, err = selectOf[streamRow](asking, s.database, projectID, "the devices of streams", sqlStreamCounts, args...)
				return err
			})
		}
		updates, err = selectOf[streamRow](asking, s.database, projectID, "the releases of streams", sqlStreamUpdates, second("from", from),
			clickhouse.Named("share", uint32(share)), clickhouse.Named("most", uint32(maxStreamUpdates)))
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	found := streams{}
	for _, r := range refused {
		found.of(r).Refused = int64(r.Devices)
	}
	found.addUpdates(updates)
	if share < wholeShare {
		devices := map[models.Stream]int64{}
		for _, r := range reported {
			found.of(r)
			devices[r.stream()] = int64(r.Devices)
		}
		small, err := s.smallStreamUpdates(ctx, projectID, from, found.few(devices))
		if err != nil {
			return nil, err
		}
		found.addUpdates(small)
		found.scale(devices)
	}
	return found.all(), nil
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

// few returns the streams with too few devices in the sample, and removes their devices. reported has the devices that
// reported in each stream.
func (s streams) few(reported map[models.Stream]int64) (names []models.Stream) {
	for name, a := range s {
		if a.Devices < fewSampled && reported[name] > 0 {
			a.Devices, a.Updates = 0, nil
			names = append(names, name)
		}
	}
	slices.SortFunc(names, models.Stream.Compare)
	return names
}

// scale scales the devices of samples to whole streams: the releases keep their percentages of the devices that
// reported.
func (s streams) scale(reported map[models.Stream]int64) {
	for name, a := range s {
		if a.Devices == 0 {
			continue
		}
		sampled, left := a.Devices, reported[name]
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
