package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/fleet"
	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/internal/snapshot"
	"github.com/waft-ota/waft/models"
)

const (
	// crashing is how many devices of a rollout crash at once, all that have it.
	crashing = 8
	// backgroundDevices start all the while on another channel.
	backgroundDevices = 20_000
	backgroundWorkers = 64
	// takenBackIn is the share of the rollouts' first stage, in percent.
	takenBackIn = 20
	// seenEvery is how often ClickHouse is asked for the reports.
	seenEvery = 10 * time.Millisecond
	// rollbackTime is the most that one rollback may take.
	rollbackTime = 30 * time.Second
)

// runRollback measures, under o.requests launches a second of other devices, how
// long it takes from the first report of a crash that was acknowledged to the
// rollback that a device is served, over o.rounds rollouts.
func runRollback(ctx context.Context, o options) (err error) {
	engines, err := newEngines(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engines.close()) }()
	w, err := startRole(ctx, engines, app.Role{API: true, Worker: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	r, err := w.rollbacks(ctx, engines)
	if err != nil {
		return err
	}
	if err := r.wait(ctx, w, o.waiting); err != nil {
		return err
	}
	stop, err := r.background(ctx, o.requests)
	if err != nil {
		return err
	}
	before := load()
	steps := make([]samples, len(rollbackSteps))
	begun := time.Now()
	for range o.rounds {
		took, err := r.one(ctx)
		if err != nil {
			return errors.Join(err, stop(nil))
		}
		for i, d := range took {
			steps[i].took = append(steps[i].took, d)
		}
	}
	var launches int64
	wall := time.Since(begun)
	if err := stop(&launches); err != nil {
		return err
	}
	fmt.Printf("%d rollbacks under %.0f launches a second (%d wanted), %d other rollouts wait; %d CPUs, %s; load average before %s, after %s\n\n",
		o.rounds, float64(launches)/wall.Seconds(), o.requests, o.waiting, runtime.NumCPU(), runtime.Version(), before, load())
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "\tmedian ms\tp95 ms\tmost ms\t")
	for i, step := range rollbackSteps {
		fmt.Fprintf(out, "%s\t%.0f\t%.0f\t%.0f\t\n", step, ms(steps[i].quantile(.5)), ms(steps[i].quantile(.95)), ms(slices.Max(steps[i].took)))
	}
	return out.Flush()
}

// rollbackSteps follow one another; the last is all of them together.
var rollbackSteps = [...]string{
	"first report acknowledged → all in ClickHouse", "→ observed", "→ rollback committed", "→ served to a device", "all",
}

// rollbacks are rollouts of one project that crash.
type rollbacks struct {
	*subject
	slug, url  string
	policy     int64
	database   string // of ClickHouse
	clickHouse string
	postgres   string
}

func (w *waft) rollbacks(ctx context.Context, e *engines) (*rollbacks, error) {
	slug := uniqueSlug("rollbacks")
	s, err := w.subject(ctx, slug)
	if err != nil {
		return nil, err
	}
	at, err := url.Parse(e.clickHouseURL)
	if err != nil {
		return nil, err
	}
	server, err := withDatabase(e.clickHouseURL, "")
	if err != nil {
		return nil, err
	}
	r := &rollbacks{subject: s, slug: slug, url: w.url, database: strings.TrimPrefix(at.Path, "/"), clickHouse: server, postgres: e.databaseURL}
	r.policy, err = s.policy(ctx, takenBackIn)
	if err != nil {
		return nil, err
	}
	return r, s.publish(ctx)
}

// wait makes n rollouts of another project that wait in their first stage.
func (r *rollbacks) wait(ctx context.Context, w *waft, n int) error {
	if n == 0 {
		return nil
	}
	slug := uniqueSlug("waiting")
	others, err := w.subject(ctx, slug)
	if err != nil {
		return err
	}
	policy, err := others.policy(ctx, 1)
	if err != nil {
		return err
	}
	if _, err := others.rollOutMany(ctx, slug, policy, n); err != nil {
		return err
	}
	return allBegun(ctx, r.postgres)
}

// uniqueSlug is one that no run before had: ids of workflows are made of slugs, and
// the benchmark's own databases begin to count anew.
func uniqueSlug(name string) string { return name + "-" + uuid.NewString()[:8] }

// policy makes one whose first stage lasts for ten hours.
func (s *subject) policy(ctx context.Context, percentage int) (int64, error) {
	var made struct{ ID int64 }
	err := s.create(ctx, "/v1/ota/rollout-policies", "application/json", fmt.Sprintf(
		`{"name": "bench %s", "stages": [{"percentage": %d, "minDurationMinutes": 600}, {"percentage": 100}], "thresholds": {"crashRate": 2}}`,
		uuid.NewString(), percentage), &made)
	return made.ID, err
}

// background lets devices of the staging channel start without end.
func (r *rollbacks) background(ctx context.Context, perSecond int) (stop func(launches *int64) error, err error) {
	devices, err := fleet.New(fleet.Options{
		BaseURL: r.url, ProjectSlug: r.slug, Channel: "staging", RuntimeVersion: "1.0.0", Devices: backgroundDevices,
		IOSPercent: 100, Seed: 1, Assets: fleet.AssetPolicy{Rest: fleet.AssetHead},
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		ended <- devices.Run(ctx, fleet.Load{Workers: backgroundWorkers, PerSecond: float64(perSecond)})
	}()
	return func(launches *int64) error {
		stats := devices.Stats()
		if launches != nil {
			*launches = stats.Launches
		}
		cancel()
		err := <-ended
		devices.Close()
		return err
	}, nil
}

// one rolls a release out, crashes it, and returns how long each step took.
func (r *rollbacks) one(ctx context.Context) (took [len(rollbackSteps)]time.Duration, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, rollbackTime, errors.New("a rollback took too long"))
	defer cancel()
	var release struct {
		GroupID            uuid.UUID
		UpdateUUID         string
		RolloutExecutionID int64
	}
	err = r.create(ctx, r.publishPath(), "application/json", fmt.Sprintf(`{"channel": "production", "rolloutPolicyId": %d}`, r.policy), &release)
	if err != nil {
		return took, err
	}
	var devices []string
	for len(devices) < crashing {
		if id := uuid.NewString(); rollout.InShare(models.ReleaseSalt(release.GroupID), id, takenBackIn) {
			devices = append(devices, id)
		}
	}
	for _, device := range devices {
		if _, err := r.await(ctx, device, func(id string) bool { return id == release.UpdateUUID }); err != nil {
			return took, err
		}
	}
	commits, err := pgx.Connect(ctx, r.postgres)
	if err != nil {
		return took, errors.New("DATABASE_URL: Postgres is not reachable")
	}
	defer commits.Close(context.WithoutCancel(ctx))
	if _, err := commits.Exec(ctx, "LISTEN "+snapshot.Channel); err != nil {
		return took, err
	}

	first, err := r.crash(ctx, devices, release.UpdateUUID)
	if err != nil {
		return took, err
	}
	var seen, committed, served time.Time
	failed := make([]error, 3)
	var all sync.WaitGroup
	all.Go(func() { seen, failed[0] = r.inserted(ctx, release.UpdateUUID) })
	all.Go(func() {
		_, failed[1] = commits.WaitForNotification(ctx)
		committed = time.Now()
	})
	all.Go(func() {
		served, failed[2] = r.await(ctx, devices[0], func(id string) bool { return id != "" && id != release.UpdateUUID })
	})
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		return took, err
	}
	observed, err := r.observed(ctx, release.RolloutExecutionID)
	if err != nil {
		return took, err
	}
	// The observation may have found enough before the last report was there.
	seen = earliest(seen, observed)
	return [...]time.Duration{seen.Sub(first), observed.Sub(seen), committed.Sub(observed), served.Sub(committed), served.Sub(first)}, nil
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// crash sends every device's report at once and returns when the first one was
// acknowledged.
func (r *rollbacks) crash(ctx context.Context, devices []string, update string) (first time.Time, err error) {
	var mu sync.Mutex
	var all sync.WaitGroup
	failed := make([]error, len(devices))
	for i, device := range devices {
		all.Go(func() {
			_, failed[i] = send(ctx, http.MethodPost, r.url+"/v1/ota/health-metrics", "application/json", fmt.Sprintf(
				`{"projectSlug": %q, "deviceId": %q, "channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "updateUuid": %q,
				"events": [{"type": "app_launch", "count": 1}, {"type": "crash", "count": 1}]}`, r.slug, device, update), nil, http.StatusNoContent)
			mu.Lock()
			defer mu.Unlock()
			if now := time.Now(); first.IsZero() {
				first = now
			}
		})
	}
	all.Wait()
	return first, errors.Join(failed...)
}

// await asks as a device does until it is served what is right.
func (r *rollbacks) await(ctx context.Context, device string, right func(update string) bool) (time.Time, error) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		body, err := send(ctx, http.MethodGet, r.url+"/v1/ota/manifest/"+r.slug+"?channel=production", "", "", map[string]string{
			"Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0", "Eas-Client-Id": device, "Accept": "application/expo+json",
		}, http.StatusOK)
		if err != nil {
			return time.Time{}, err
		}
		var manifest struct{ ID string }
		if err := json.Unmarshal(body, &manifest); err != nil {
			return time.Time{}, err
		}
		if right(manifest.ID) {
			return time.Now(), nil
		}
		<-look.C
	}
}

// inserted returns when queries see all reports.
func (r *rollbacks) inserted(ctx context.Context, update string) (time.Time, error) {
	look := time.NewTicker(seenEvery)
	defer look.Stop()
	query := fmt.Sprintf("SELECT count() FROM %s.health_reports WHERE update_uuid = '%s' AND crashes > 0", r.database, update)
	for {
		text, err := send(ctx, http.MethodPost, r.clickHouse, "text/plain", query, nil, http.StatusOK)
		if err != nil {
			return time.Time{}, err
		}
		if strings.TrimSpace(string(text)) == strconv.Itoa(crashing) {
			return time.Now(), nil
		}
		<-look.C
	}
}

// observed is when the rollout had observed what made it roll back.
func (r *rollbacks) observed(ctx context.Context, id int64) (time.Time, error) {
	var e struct {
		Status string
		Health struct{ CheckedAt time.Time }
	}
	body, err := send(ctx, http.MethodGet, fmt.Sprintf("%s/v1/ota/rollout-executions/%d", r.url, id), "", "", r.header, http.StatusOK)
	if err == nil {
		err = json.Unmarshal(body, &e)
	}
	if err == nil && e.Status != string(models.ExecutionRolledBack) {
		err = fmt.Errorf("rollout %d is %s", id, e.Status)
	}
	return e.Health.CheckedAt, err
}
