package insights

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// metricsTime is how long an overview waits for metrics. A ClickHouse that hangs must not keep people from the page on which they
// roll back.
const metricsTime = 10 * time.Second

// inTime calls read with a context that ends after metricsTime. An error because of that end means that ClickHouse is unavailable.
func inTime[T any](ctx context.Context, read func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, metricsTime)
	defer cancel()
	found, err := read(limited)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = models.Errorf(models.CodeUnavailable, "ClickHouse did not respond within %v", metricsTime)
	}
	return found, err
}

// outage returns err as unavailable if an overview can do without the metrics that could not be read.
func outage(ctx context.Context, err error) (unavailable, failed error) {
	if code := models.CodeOf(err); (code == models.CodeUnavailable || code == models.CodeRateLimited) && ctx.Err() == nil {
		return err, nil
	}
	return nil, err
}

// activity returns the activity of the devices of each target, or of the targets of one channel.
func (h *Handlers) activity(ctx context.Context, channel string) ([]models.StreamActivity, error) {
	active, err := inTime(ctx, func(ctx context.Context) ([]models.StreamActivity, error) {
		return h.StreamActivities.StreamActivity(ctx, rest.ProjectOf(ctx), h.Now())
	})
	if channel != "" {
		active = slices.Clone(active) // it is shared with other requests
		active = slices.DeleteFunc(active, func(a models.StreamActivity) bool { return a.Channel != channel })
	}
	return active, err
}

// overviewParts holds the data that an overview reads from ClickHouse and Postgres.
type overviewParts struct {
	active            []models.StreamActivity
	unavailable       error // the reason why the activity could not be read, or nil
	served, withdrawn earlyHealth
	records           models.OverviewRecords
}

// readOverview reads the parts of an overview at the same time. Only the health of withdrawn releases waits, for the records.
func (h *Handlers) readOverview(ctx context.Context, served []models.ServedStream, channel string) (p overviewParts, err error) {
	g, asking := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		p.active, err = h.activity(asking, channel)
		p.unavailable, err = outage(asking, err)
		return err
	})
	g.Go(func() (err error) {
		p.served, err = h.readEarlyHealth(asking, served, true)
		return err
	})
	g.Go(func() (err error) {
		if p.records, err = h.Overviews.OverviewRecords(asking, rest.ProjectOf(ctx), servedReleases(served)); err != nil {
			return err
		}
		broken := p.records.Broken
		maps.DeleteFunc(broken, func(s models.Stream, _ []models.BrokenRelease) bool { return channel != "" && s.Channel != channel })
		p.withdrawn, err = h.readEarlyHealth(asking, withdrawnReleases(served, broken), false)
		return err
	})
	err = g.Wait() // before p is read
	return p, err
}

// earlyHealth is the health of targets that is read before all targets of an overview are known.
type earlyHealth struct {
	isRead      bool
	health      models.ServedHealth
	unavailable error // the reason why the health could not be read, or nil
}

// readEarlyHealth returns the health of targets, and with others of all other targets, unless an overview cannot show so many.
func (h *Handlers) readEarlyHealth(ctx context.Context, served []models.ServedStream, others bool) (e earlyHealth, err error) {
	if len(served) > maxOverviewStreams {
		return e, nil
	}
	e.isRead = true
	e.health, err = h.readHealth(ctx, served, others)
	e.unavailable, err = outage(ctx, err)
	return e, err
}

// readHealth returns the health of the updates that targets are served, and with others of the embedded update of all other targets.
func (h *Handlers) readHealth(ctx context.Context, served []models.ServedStream, others bool) (models.ServedHealth, error) {
	if len(served) == 0 && !others {
		return nil, nil
	}
	return inTime(ctx, func(ctx context.Context) (models.ServedHealth, error) {
		return h.StreamActivities.ServedHealth(ctx, rest.ProjectOf(ctx), served, others, h.Now())
	})
}

// addHealth adds the health of the releases that targets are served, and of their broken releases. It reads what was not read early.
func (h *Handlers) addHealth(ctx context.Context, streams []models.StreamOverview, served, withdrawn earlyHealth) error {
	shown, broken := make([]models.ServedStream, len(streams)), map[models.Stream][]models.BrokenRelease{}
	for i, s := range streams {
		shown[i], broken[s.ServedStream.Stream] = s.ServedStream, s.Broken
	}
	g, asking := errgroup.WithContext(ctx)
	readOf := func(e *earlyHealth, of []models.ServedStream) {
		if e.isRead {
			return
		}
		g.Go(func() (err error) {
			e.health, err = h.readHealth(asking, of, false)
			return err
		})
	}
	readOf(&served, shown)
	readOf(&withdrawn, withdrawnReleases(shown, broken))
	err := cmp.Or(g.Wait(), served.unavailable, withdrawn.unavailable)
	if err != nil {
		return err
	}
	for i, s := range streams {
		streams[i].Health, streams[i].Withdrawn = served.health[s.ServedStream.Stream], withdrawn.health[s.ServedStream.Stream].Updates
	}
	return nil
}
