package insights

import (
	"context"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// outage returns err as unavailable if an overview can do without the metrics that could not be read.
func outage(ctx context.Context, err error) (unavailable, failed error) {
	if code := models.CodeOf(err); (code == models.CodeUnavailable || code == models.CodeRateLimited) && ctx.Err() == nil {
		return err, nil
	}
	return nil, err
}

// activity returns the activity of the devices of each target, or of the targets of one channel.
func (h *Handlers) activity(ctx context.Context, channel string) ([]models.StreamActivity, error) {
	active, err := h.StreamActivities.StreamActivity(ctx, rest.ProjectOf(ctx), h.Now())
	if channel != "" {
		active = slices.Clone(active) // it is shared with other requests
		active = slices.DeleteFunc(active, func(a models.StreamActivity) bool { return a.Channel != channel })
	}
	return active, err
}

// earlyHealth is the health of targets that is read before all targets of an overview are known.
type earlyHealth struct {
	of          []models.ServedStream
	health      models.ServedHealth
	unavailable error // the reason why the health could not be read, or nil
}

// readEarlyHealth returns the health of all served targets if the overview shows all of them, and otherwise no health.
func (h *Handlers) readEarlyHealth(ctx context.Context, served []models.ServedStream) (e earlyHealth, err error) {
	if len(served) > maxOverviewStreams {
		return e, nil
	}
	e.of = served
	e.health, err = h.readHealth(ctx, served)
	e.unavailable, err = outage(ctx, err)
	return e, err
}

// readHealth returns the health of the updates that targets are served.
func (h *Handlers) readHealth(ctx context.Context, served []models.ServedStream) (models.ServedHealth, error) {
	if len(served) == 0 {
		return nil, nil
	}
	return h.StreamActivities.ServedHealth(ctx, rest.ProjectOf(ctx), served, h.Now())
}

// addHealth adds the health of the releases that targets are served, and of their broken releases. It reads the health of
// the targets that early does not have.
func (h *Handlers) addHealth(ctx context.Context, streams []models.StreamOverview, early earlyHealth) error {
	if early.unavailable != nil {
		return early.unavailable
	}
	known := map[models.Stream]bool{}
	for _, s := range early.of {
		known[s.Stream] = true
	}
	var others []models.ServedStream
	for _, s := range streams {
		if !known[s.ServedStream.Stream] {
			others = append(others, s.ServedStream)
		}
	}
	var health, withdrawn models.ServedHealth
	g, asking := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		health, err = h.readHealth(asking, others)
		return err
	})
	g.Go(func() (err error) {
		withdrawn, err = h.readHealth(asking, withdrawnReleases(streams))
		return err
	})
	err := g.Wait()
	all := maps.Clone(early.health) // it is shared with other requests
	if all == nil {
		all = models.ServedHealth{}
	}
	maps.Copy(all, health)
	for i, s := range streams {
		streams[i].Health, streams[i].Withdrawn = all[s.ServedStream.Stream], withdrawn[s.ServedStream.Stream].Updates
	}
	return err
}
