package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

const truthSenders = 16

// inParallel calls do for 0 to n-1 from several goroutines.
func inParallel(t *testing.T, n int, do func(i int) error) {
	t.Helper()
	var g errgroup.Group
	for sender := range truthSenders {
		g.Go(func() error {
			for i := sender; i < n; i += truthSenders {
				if err := do(i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, g.Wait())
}

// send posts every report. Half of the reports are compressed, and one in twenty is sent twice with the same
// Idempotency-Key.
func (w *truth) send(t *testing.T, p *tenant) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: truthSenders}}
	inParallel(t, len(w.reports), func(i int) error {
		s := &w.reports[i]
		body, err := s.body(p.slug)
		if err != nil {
			return err
		}
		s.begun = w.now()
		for range 1 + i%20/19 {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+"/v1/ota/health-metrics", pack(body, i%2 == 0))
			if err != nil {
				return err
			}
			req.Header.Set("Content-Type", "application/json")
			if i%20 >= 18 {
				req.Header.Set("Idempotency-Key", fmt.Sprintf("report-%d", i))
			}
			if i%2 == 0 {
				req.Header.Set("Content-Encoding", "gzip")
			}
			res, err := client.Do(req)
			if err != nil {
				return err
			}
			if err := res.Body.Close(); err != nil {
				return err
			}
			if res.StatusCode != http.StatusNoContent {
				return fmt.Errorf("report %d got %s", i, res.Status)
			}
		}
		s.answered = w.now()
		return nil
	})
}

func (s *sent) body(slug string) ([]byte, error) {
	events := make([]json.RawMessage, len(s.events))
	for i, o := range s.events {
		events[i] = o.body
	}
	report := object{
		"projectSlug": slug, "deviceId": strings.ToUpper(truthDeviceID(s.device)), "channel": s.channel, "platform": s.platform,
		"runtimeVersion": s.runtime, "events": events,
	}
	if s.update != "" {
		report["updateUuid"] = s.update
	}
	return json.Marshal(report)
}

func pack(body []byte, packed bool) *bytes.Buffer {
	if !packed {
		return bytes.NewBuffer(body)
	}
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed) // the level is valid
	_, _ = w.Write(body)                              // writing to a buffer never fails
	_ = w.Close()
	return &out
}

// evaluated counts how often flags had each value.
type evaluated struct {
	now    func() time.Time
	counts map[string]int // by value of the flag checkout
	last   time.Time
}

func (e evaluated) total() (n int) {
	for _, count := range e.counts {
		n += count
	}
	return n
}

// sendEvaluations reports evaluations of a flag, including values that it does not have, and of a flag that the project
// does not have.
func sendEvaluations(t *testing.T, p *tenant, now func() time.Time) evaluated {
	t.Helper()
	e := evaluated{now: now, counts: map[string]int{}}
	for n := 1; n <= 200; n++ {
		at := now().UTC().Add(-time.Duration(n) * time.Hour).Truncate(time.Millisecond)
		if n == 150 {
			at = now().UTC().Add(-time.Second).Truncate(time.Millisecond)
			e.last = at
		}
		require.Equal(t, http.StatusNoContent, p.do(request{
			method: http.MethodPost, path: "/v1/ota/flag-evaluations",
			body: object{"projectSlug": p.slug, "channel": []string{"production", "staging"}[n%2], "evaluations": []object{
				{"flagKey": "checkout", "value": true, "count": 3 * n, "lastEvaluatedAt": at.Format(time.RFC3339Nano)},
				{"flagKey": "checkout", "value": "false", "count": n, "lastEvaluatedAt": at.Format(time.RFC3339Nano)},
				{"flagKey": "checkout", "value": n, "count": 1, "lastEvaluatedAt": at.Format(time.RFC3339Nano)},
				{"flagKey": "other", "value": 1, "count": 100},
			}},
		}).status)
		e.counts["true"] += 3 * n
		e.counts["false"] += n
		e.counts["(other)"]++
	}
	return e
}
