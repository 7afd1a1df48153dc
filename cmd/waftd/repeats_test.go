package main

import (
	"bytes"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// logged returns a log, the lines that it wrote without times and levels, and its clock.
func logged(t *testing.T) (log *slog.Logger, now *time.Time, lines func() []string) {
	t.Helper()
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	var out bytes.Buffer
	inner := slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == slog.LevelKey {
			return slog.Attr{}
		}
		return a
	}})
	return slog.New(withoutRepeats(inner, func() time.Time { return at })), &at, func() []string {
		text := strings.TrimSpace(out.String())
		out.Reset()
		if text == "" {
			return nil
		}
		return strings.Split(text, "\n")
	}
}

func TestAProblemIsLoggedOnceAMinuteHoweverOftenItIsMet(t *testing.T) {
	t.Parallel()
	log, now, lines := logged(t)
	relay := log.With("component", "relay")
	for try := range 50 {
		relay.Warn("the outbox cannot be read", "error", errors.New("try "+strconv.Itoa(try)), "attempt", try)
		*now = now.Add(time.Second)
	}
	require.Equal(t, []string{`msg="the outbox cannot be read" component=relay error="try 0" attempt=0`}, lines())
	*now = now.Add(10 * time.Second)
	relay.Warn("the outbox cannot be read", "error", errors.New("still"))
	require.Equal(t, []string{`msg="the outbox cannot be read" component=relay error=still repeated=49`}, lines())
	*now = now.Add(time.Hour)
	relay.Warn("the outbox cannot be read", "error", errors.New("again"))
	require.Equal(t, []string{`msg="the outbox cannot be read" component=relay error=again`}, lines())
}

func TestDifferentProblemsAreAllLogged(t *testing.T) {
	t.Parallel()
	log, _, lines := logged(t)
	broken := errors.New("broken")
	log.With("component", "a").Warn("it fails", "error", broken)
	log.With("component", "b").Warn("it fails", "error", broken)
	log.Warn("it fails", "dependency", "postgres", "error", broken)
	log.Warn("it fails", "dependency", "clickhouse", "error", broken)
	log.WithGroup("g").Warn("it fails", "error", broken)
	log.Error("it fails", "error", broken)
	require.Len(t, lines(), 6)
}

func TestWhatIsNoProblemIsAlwaysLogged(t *testing.T) {
	t.Parallel()
	log, _, lines := logged(t)
	for incident := range 3 {
		log.Warn("an incident was opened", "incident", incident)
		log.Info("request", "status", 200, "error", "a refusal")
	}
	require.Len(t, lines(), 6)
}

// While an engine is unavailable, the requests of all devices fail for the same reason. A request that fails for
// another reason must not vanish among them.
func TestRequestsThatFailForWantOfAStoreAreOneProblemARoute(t *testing.T) {
	t.Parallel()
	log, _, lines := logged(t)
	for i := range 3 {
		id := strconv.Itoa(i)
		log.Warn("request", "path", "/v1/x/"+id, "route", "/v1/x/{id}", "status", 503, "requestId", id, "error", "away")
		log.Warn("request", "path", "/readyz", "route", "/readyz", "status", 503, "requestId", id)
		log.Error("request", "path", "/v1/x", "route", "/v1/x", "status", 500, "requestId", id, "error", "a bug")
	}
	require.Len(t, lines(), 2+3)
}

func TestAFloodOfDifferentProblemsIsBounded(t *testing.T) {
	t.Parallel()
	h := withoutRepeats(slog.DiscardHandler, time.Now).(repeats)
	for i := range 3 * maxProblems {
		_, due := h.known.note(strconv.Itoa(i))
		require.True(t, due)
	}
	require.LessOrEqual(t, len(h.known.seen), maxProblems)
}
