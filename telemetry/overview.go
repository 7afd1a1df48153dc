package telemetry

import (
	"cmp"
	"context"
	"maps"
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
	args := []driver.NamedValue{second("from", overviewFrom(now))}
	var refused, updates, sketches []streamRow
	var share uint64
	g, asking := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		refused, err = selectOf[streamRow](asking, s.database, projectID, "the refused devices of streams", sqlStreamRefused,
			append(slices.Clip(args), clickhouse.Named("most", uint32(maxStreams)))...)
		return err
	})
	args = append(args, clickhouse.Named("most", uint32(maxStreamUpdates)))
	g.Go(func() (err error) {
		if share, err = s.sampleShare(asking, projectID); err != nil {
			return err
		}
		if share < wholeShare {
			g.Go(func() (err error) {
				sketches, err = selectOf[streamRow](asking, s.database, projectID, "the sketches of streams", sqlStreamSketches, args...)
				return err
			})
		}
		updates, err = selectOf[streamRow](asking, s.database, projectID, "the releases of streams", sqlStreamUpdates,
			append(slices.Clip(args), clickhouse.Named("share", uint32(share)))...)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	found := streams{}
	found.addUpdates(updates)
	if share < wholeShare {
		estimates := streams{}
		estimates.addUpdates(sketches)
		found.scaleTo(estimates.largest(maxStreams))
	}
	for _, r := range refused {
		found.of(r).Refused = int64(r.Devices)
	}
	return found.all(), nil
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

// largest returns the streams with the most devices, at most so many.
func (s streams) largest(most int) streams {
	if len(s) <= most {
		return s
	}
	names := slices.SortedFunc(maps.Keys(s), func(a, b models.Stream) int {
		return cmp.Or(cmp.Compare(s[b].Devices, s[a].Devices), a.Compare(b))
	})
	largest := streams{}
	for _, name := range names[:most] {
		largest[name] = s[name]
	}
	return largest
}

// scaleTo scales the devices of a sample to the estimates: the releases of a stream keep their percentages. A stream with
// too few devices in the sample gets the estimated devices of its releases instead. The devices of streams without an
// estimate are set to 0.
func (s streams) scaleTo(estimates streams) {
	for name, sampled := range s {
		if estimates[name] == nil {
			sampled.Devices, sampled.Updates = 0, nil
		}
	}
	for name, estimate := range estimates {
		sampled := s[name]
		if sampled == nil || sampled.Devices < fewSampled {
			s[name] = estimate
			continue
		}
		scale(sampled, estimate.Devices)
	}
}

// scale scales the devices of a stream to a number: the releases keep their percentages.
func scale(a *models.StreamActivity, devices int64) {
	sampled, left := a.Devices, devices
	a.Devices = devices
	for i := range slices.Backward(a.Updates) { // the largest release, at index 0, gets the rest after rounding
		a.Updates[i].Devices = min(left, a.Updates[i].Devices*devices/sampled)
		if i == 0 {
			a.Updates[i].Devices = left
		}
		left -= a.Updates[i].Devices
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
