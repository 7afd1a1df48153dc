package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/guard/cardinality"
	"github.com/waft-ota/waft/models"
)

// anybody is a source that may use the whole of each limit.
var anybody = cardinality.Source{Trusted: true, Served: true}

// refusedSink stores refused requests like ClickHouse. It is unavailable at first.
type refusedSink struct {
	mu     sync.Mutex
	away   int
	stored map[string][]models.RefusedRequests
	// limited holds the limited devices, also by token.
	limited map[string][]models.LimitedReports
}

func (s *refusedSink) InsertRefused(_ context.Context, token string, refused []models.RefusedRequests) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stored[token] = refused // stored, but the response is lost
	if s.away > 0 {
		s.away--
		return errors.New("away")
	}
	return nil
}

func (s *refusedSink) InsertLimited(_ context.Context, token string, limited []models.LimitedReports) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limited[token] = limited
	if s.away > 0 {
		s.away--
		return errors.New("away")
	}
	return nil
}

func (s *refusedSink) requests() (total int64) {
	for _, refused := range s.stored {
		for _, r := range refused {
			total += r.Requests
		}
	}
	return total
}

func TestRefusedRequestsAreInsertedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sink := &refusedSink{away: 3, stored: map[string][]models.RefusedRequests{}, limited: map[string][]models.LimitedReports{}}
		c := NewRefusedCounter(sink, slog.New(slog.DiscardHandler), time.Now)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- c.Run(ctx) }()
		for n := range 10 {
			c.Refused(models.RefusedRequest{ProjectID: 7, Reason: models.RefusedNoRelease, DeviceID: "d"}, anybody)
			c.Limited(models.LimitedReport{ProjectID: 7, DeviceID: fmt.Sprint("d", n)})
			<-time.NewTimer(refusedInterval).C // of the fake clock
		}
		c.Limited(models.LimitedReport{ProjectID: 7, DeviceID: "e"})
		c.Refused(models.RefusedRequest{ProjectID: 7, Reason: models.RefusedNoRelease, DeviceID: "e"}, anybody)
		stop()
		require.NoError(t, <-ended)
		require.EqualValues(t, 11, sink.requests(), "including the last requests")
		moved := 0
		for _, limited := range sink.limited {
			moved += len(limited)
		}
		require.Equal(t, 11, moved)
	})
}

// requestless is a sink without a table for requests.
type requestless struct{ *refusedSink }

func (requestless) InsertRefused(context.Context, string, []models.RefusedRequests) error {
	return errors.New("no such table")
}

// Limited devices are stored even if requests cannot be stored, because decisions need them.
func TestLimitedDevicesDoNotWaitForRequests(t *testing.T) {
	t.Parallel()
	sink := &refusedSink{limited: map[string][]models.LimitedReports{}}
	c := NewRefusedCounter(requestless{sink}, slog.New(slog.DiscardHandler), time.Now)
	waiting := refused{requests: make([]models.RefusedRequests, 2), limited: make([]models.LimitedReports, 3)}
	require.EqualError(t, c.insert(t.Context(), "token", &waiting), "no such table")
	require.Len(t, waiting.requests, 2)
	require.Empty(t, waiting.limited)
	require.Len(t, sink.limited["token"], 3)
}

func TestRefusedRequestsAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	c := NewRefusedCounter(nil, slog.New(slog.DiscardHandler), func() time.Time { return now })
	invent := func() (kinds map[string]bool, requests int64) {
		for n := range 300_000 {
			c.Refused(models.RefusedRequest{
				ProjectID: 7, Reason: models.RefusedUnknownChannel, Channel: fmt.Sprintf("c%d", n), DeviceID: fmt.Sprintf("d%d", n),
			}, anybody)
		}
		rows := c.take().requests
		require.LessOrEqual(t, len(rows), refusedDevices+refusedKinds+1)
		kinds = map[string]bool{}
		for _, r := range rows {
			kinds[r.Channel] = true
			requests += r.Requests
		}
		return kinds, requests
	}
	for range 2 {
		kinds, requests := invent()
		require.Contains(t, kinds, refusedOther)
		require.LessOrEqual(t, len(kinds), refusedKinds+1)
		require.EqualValues(t, 300_000, requests, "every request is counted")
	}
	kinds, _ := invent()
	require.Contains(t, kinds, "c0", "the same kinds as before")
	c.Refused(models.RefusedRequest{ProjectID: 7, Reason: models.RefusedUnknownChannel, Channel: "new"}, anybody)
	require.Equal(t, refusedOther, c.take().requests[0].Channel)
	now = now.AddDate(0, 0, 1)
	c.Refused(models.RefusedRequest{ProjectID: 7, Reason: models.RefusedUnknownChannel, Channel: "new"}, anybody)
	require.Equal(t, "new", c.take().requests[0].Channel, "another day")
	c.Refused(models.RefusedRequest{ProjectID: 8, Reason: models.RefusedUnknownChannel, Channel: "new"}, anybody)
	require.Equal(t, "new", c.take().requests[0].Channel, "another project")
}

func TestARefusedRequestHasTheMomentOfTheLast(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 14, 23, 59, 59, 0, time.UTC)
	c := NewRefusedCounter(nil, slog.New(slog.DiscardHandler), func() time.Time { return now })
	r := models.RefusedRequest{ProjectID: 7, Reason: models.RefusedUnknownChannel, Channel: "c", DeviceID: "d"}
	c.Refused(r, anybody)
	last := now.Add(500 * time.Millisecond)
	now = last
	c.Refused(r, anybody)
	now = now.Add(refusedInterval)
	require.Equal(t, []models.RefusedRequests{{RefusedRequest: r, Requests: 2, At: last}}, c.take().requests)
}

// Invented kinds must leave room for the kinds of devices that were served.
func TestRefusedKindsHaveAReserve(t *testing.T) {
	t.Parallel()
	c := NewRefusedCounter(nil, slog.New(slog.DiscardHandler), time.Now)
	refuse := func(channel string, from cardinality.Source) string {
		c.Refused(models.RefusedRequest{ProjectID: 7, Reason: models.RefusedUnknownChannel, Channel: channel}, from)
		return c.take().requests[0].Channel
	}
	for n := range 10 * refusedKinds {
		refuse(fmt.Sprint("c", n), cardinality.Source{Trusted: true})
	}
	require.Equal(t, refusedOther, refuse("prodution", cardinality.Source{}))
	require.Equal(t, "prodution", refuse("prodution", cardinality.Source{Served: true}))
}
