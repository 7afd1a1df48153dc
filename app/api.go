package app

import (
	"context"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/waft-ota/waft/api"
	"github.com/waft-ota/waft/assets"
	"github.com/waft-ota/waft/retention"
	"github.com/waft-ota/waft/snapshot"
	"github.com/waft-ota/waft/telemetry"
)

// addAPI makes the process serve devices and release engineers.
func (a *App) addAPI(ctx context.Context) error {
	rootKey, err := a.rootKeyHash(ctx)
	if err != nil {
		return err
	}
	bucket, err := assets.Open(ctx, a.cfg.AssetBucketURL, filepath.Join(a.cfg.DataDir, "uploads"))
	if err != nil {
		return err
	}
	a.closers = append(a.closers, bucket.Close)
	snapshots, err := a.addSnapshots(ctx)
	if err != nil {
		return err
	}
	ingest, err := a.addIngest(snapshots)
	if err != nil {
		return err
	}
	changes := snapshot.NewExecutionHub(a.store)
	a.loops = append(a.loops, changes.Run)

	checks := a.checks()
	checks["assets"] = bucket.Ping
	a.handler, err = api.New(api.Deps{
		Keys: a.store, Projects: a.store, APIKeys: a.store, Builds: a.store, Blobs: a.store, Releases: a.store,
		Branches: a.store, Channels: a.store, Policies: a.store, Flags: a.store, Segments: a.store, Executions: a.store, Audit: a.store, Idempotency: a.store,
		UserOverrides: a.store, Contexts: a.store, Webhooks: a.store, SigningKeys: a.store,
		Stager: bucket, Assets: bucket, Settings: a.store,
		Collector: retention.Collector{
			Store: a.store, Telemetry: a.telemetry, Bucket: bucket, Log: a.log.With("component", "retention"), Now: time.Now,
		},
		RolloutCommands: a.rollouts, Changes: changes, Snapshots: snapshots, Reports: ingest,
		Checks: checks, RootKeyHash: rootKey, Streams: a.streams, Metrics: a.registry, Log: a.log,
		TrustedProxies: a.cfg.TrustedProxies,
		Rates:          api.Rates{PerAddress: a.cfg.RatePerAddress, PerDevice: a.cfg.RatePerDevice},
		Limits: api.Limits{
			FileBytes: a.cfg.MaxFileBytes, BuildBytes: a.cfg.MaxBuildBytes,
			BuildFiles: a.cfg.MaxBuildFiles, ReportBytes: a.cfg.MaxReportBytes,
		},
	})
	return err
}

// addSnapshots loads every project, so that the first device is served as well as
// the last, and keeps them current.
func (a *App) addSnapshots(ctx context.Context) (*snapshot.Registry, error) {
	snapshots := snapshot.NewRegistry(a.store, a.baseURL(), a.log.With("component", "snapshots"))
	if err := snapshots.Load(ctx); err != nil {
		return nil, err
	}
	promauto.With(a.registry).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "waft_snapshot_age_seconds",
		Help: "Time since the snapshots of all projects were last compared with Postgres.",
	}, func() float64 { return snapshots.Age(time.Now()).Seconds() })
	a.loops = append(a.loops, snapshots.Run)
	return snapshots, nil
}

// addIngest opens the log of health reports and moves them to ClickHouse.
func (a *App) addIngest(snapshots *snapshot.Registry) (*telemetry.Ingest, error) {
	waker := newWaker(a.rollouts, snapshots, a.log.With("component", "waker"))
	ingest, err := telemetry.OpenIngest(telemetry.IngestOptions{
		Dir: filepath.Join(a.cfg.DataDir, "ingest"), Sink: a.telemetry, MaxBytes: a.cfg.IngestLogBytes,
		OnInserted: waker.inserted, Log: a.log.With("component", "ingest"), Registerer: a.registry,
	})
	if err != nil {
		return nil, err
	}
	a.closers = append(a.closers, ingest.Close)
	a.loops = append(a.loops, ingest.Run, waker.run)
	return ingest, nil
}

// baseURL is the public URL of the API.
func (a *App) baseURL() string {
	if a.cfg.BaseURL != "" {
		return a.cfg.BaseURL
	}
	return "http://" + a.Addr()
}
