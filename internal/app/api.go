package app

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"net/netip"
	"path/filepath"

	"github.com/waft-ota/waft/api"
	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/auth"
	"github.com/waft-ota/waft/api/device"
	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/manage/approvals"
	"github.com/waft-ota/waft/api/manage/builds"
	"github.com/waft-ota/waft/api/manage/flags"
	"github.com/waft-ota/waft/api/manage/insights"
	"github.com/waft-ota/waft/api/manage/project"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/manage/rollouts"
	"github.com/waft-ota/waft/api/manage/webhooks"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/dashboard"
	"github.com/waft-ota/waft/internal/assets/retention"
	"github.com/waft-ota/waft/internal/crash/symbols"
	"github.com/waft-ota/waft/internal/guard/knowndevices"
	"github.com/waft-ota/waft/internal/identity/apikeys"
	"github.com/waft-ota/waft/internal/identity/idtoken"
	"github.com/waft-ota/waft/internal/identity/password"
	"github.com/waft-ota/waft/internal/identity/sso"
	"github.com/waft-ota/waft/internal/observe/incidents"
	"github.com/waft-ota/waft/internal/observe/regressions"
	"github.com/waft-ota/waft/internal/observe/watch"
	"github.com/waft-ota/waft/internal/serve/feed"
	"github.com/waft-ota/waft/internal/serve/snapshot"
	"github.com/waft-ota/waft/internal/store/projectstore"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/telemetry"
	"github.com/waft-ota/waft/telemetry/ingest"
)

// addAPI makes the process serve the API.
func (a *App) addAPI(ctx context.Context) error {
	rootKey, err := a.rootKeyHash(ctx)
	if err != nil {
		return err
	}
	snapshots, err := a.addSnapshots(ctx)
	if err != nil {
		return err
	}
	sourceMaps := symbols.New(symbols.Options{
		Store: a.store, Memory: a.cfg.SourceMapMemoryBytes, Log: a.log.With("component", "source maps"), Now: a.now,
		Open: func(ctx context.Context, projectID int64, md5 string) (io.ReadCloser, error) {
			return a.bucket.Open(ctx, projectID, md5)
		},
	})
	var groups ingest.Groups
	if !a.ungrouped {
		groups = symbols.NewGrouper(sourceMaps, a.now, a.registry)
	}
	reports, err := a.addIngest(snapshots, groups)
	if err != nil {
		return err
	}
	projectFeed := feed.New(a.store, a.log.With("component", "feed"), a.now)
	eraser := retention.NewEraser(a.store, a.telemetry, a.log.With("component", "retention"), a.now)
	refused := ingest.NewRefusedCounter(a.telemetry, a.log.With("component", "refusals"), a.now)
	contexts := projectstore.NewContextRecorder(a.store.Projects, a.log.With("component", "contexts"))
	known := knowndevices.Open(filepath.Join(a.cfg.DataDir, "known-devices"), a.log.With("component", "known devices"))
	keys := apikeys.New(a.store, a.now)
	asked, err := a.telemetry.Interactive()
	if err != nil {
		return err
	}
	a.closers = append(a.closers, asked.Close)
	streams := telemetry.NewRecentStreams(asked)
	a.loops = append(a.loops, projectFeed.Run, eraser.Run, refused.Run, contexts.Run, known.Run, keys.Run)

	providers, err := sso.ParseProviders(a.cfg.OIDCProviders)
	if err != nil {
		return err
	}
	keysOf, err := deriveKeys(a.cfg)
	if err != nil {
		return err
	}
	targets, err := targetsOf(a.cfg, "WAFT_ISSUER_ALLOWED_NETWORKS", a.cfg.IssuerAllowedNetworks)
	if err != nil {
		return err
	}
	origin, err := originTable(a.cfg)
	if err != nil {
		return err
	}
	issuers := idtoken.NewIssuers(targets, a.now)
	a.closers = append(a.closers, func() error { issuers.Close(); return nil })
	collector := retention.Collector{
		Store: a.store, Telemetry: asked, Bucket: a.bucket, Log: a.log.With("component", "retention"), Now: a.now,
	}
	temporalUI := rest.TemporalUI{URL: a.cfg.TemporalUIURL, Namespace: a.cfg.TemporalNamespace}
	pages, err := dashboard.New(a.peopleURL())
	if err != nil {
		return err
	}
	handler, err := api.New(api.Deps{
		Access: access.Gate{
			Keys: keys, Sessions: a.store, Projects: a.store, RootKeyHash: rootKey, CookieKey: keysOf.begun,
			SessionKeys: keysOf.sessions, NetworkKeys: keysOf.networks, BaseURL: a.peopleURL(),
			SecureCookies: a.cfg.ReachedByTLS(),
		},
		Auth: auth.Handlers{
			People: a.store, Positions: a.store, Members: a.store, Sessions: a.store, Networks: a.store, Passkeys: a.store, Terminals: a.store,
			Passwords:         password.New(a.passwords),
			IdentityProviders: sso.New(providers, a.now), Publishers: a.store, IDTokens: idtoken.Verifier{Keys: issuers, Now: a.now},
			BaseURL: a.peopleURL(), RelyingParty: a.relyingParty(), SSOOnly: a.cfg.SSOOnly,
			ByMail: a.cfg.SMTPURL != "",
		},
		Device: device.Handlers{
			Snapshots: snapshots, Assets: a.bucket, PatchFiles: a.bucket, AssetRedirect: a.cfg.AssetRedirect, Reports: reports,
			Exposures: reports, Evaluations: reports, EvaluatedContexts: contexts, RefusedCounter: refused,
			ReportBytes: a.cfg.MaxReportBytes, StreamURL: a.streamURL(), StreamKeys: keysOf.streams,
		},
		Project: project.Handlers{
			Projects: a.store, UserProjects: a.store, APIKeys: a.store, TrustedPublishers: a.store, SigningKeys: a.store, Settings: a.store,
			Collector: collector, Eraser: eraser, Audit: a.store, ProjectFeed: projectFeed,
		},
		Builds: builds.Handlers{
			Builds: a.store, Blobs: a.store, Files: a.store, FileParts: a.bucket, Stager: a.bucket, SourceMaps: sourceMaps, SourceMapStore: a.store,
			Limits: builds.Limits{
				FileBytes: a.cfg.MaxFileBytes, BuildBytes: a.cfg.MaxBuildBytes, BuildFiles: a.cfg.MaxBuildFiles,
				SourceMapBytes: a.cfg.MaxSourceMapBytes,
			},
		},
		Releases: releases.Handlers{
			Releases: a.store, Builds: a.store, Branches: a.store, Channels: a.store, UserOverrides: a.store, Patches: a.store, Snapshots: snapshots,
		},
		Rollouts: rollouts.Handlers{
			Policies: a.store, Executions: a.store, EmergencyStops: a.store, Previews: a.store, Changes: projectFeed,
			Observed: asked, Activity: asked, StreamActivities: streams,
			TemporalUI: temporalUI,
		},
		Approvals: approvals.Handlers{Approvals: a.store, Endings: projectFeed, TemporalUI: temporalUI},
		Flags: flags.Handlers{
			Flags: a.store, Schedules: a.store, Segments: a.store, Contexts: a.store, Health: asked, SegmentDevices: asked, Names: a.store,
			Snapshots: snapshots, TemporalUI: temporalUI,
		},
		Insights: insights.Handlers{
			Insights: asked, StreamActivities: streams, ErrorGroups: asked, ErrorStatuses: a.store, Incidents: a.store, Overviews: a.store,
			ReleasePlaces: a.store, Stacks: sourceMaps, Names: a.store, Snapshots: snapshots,
		},
		Webhooks:    webhooks.Handlers{Webhooks: a.store, TemporalUI: temporalUI},
		Operations:  a.operations(),
		Reference:   http.HandlerFunc(pages.ServeReference),
		Idempotency: a.store, Served: snapshots, KnownDevices: known,
		Limits: limit.Settings{
			Rates: limit.Rates{
				PerAddress: a.cfg.RatePerAddress, PerNetwork: a.cfg.RatePerNetwork, PerDevice: a.cfg.RatePerDevice,
				UnknownKeys:         a.cfg.RateUnknownKeys,
				NewDevicesPerMinute: a.cfg.NewDevicesPerMinute, NewDevicesBurst: a.cfg.NewDevicesBurst,
			},
			Streams: a.cfg.MaxStreams, TrustedProxies: a.cfg.TrustedProxies, Origins: origin,
		},
		Readiness: a.readiness, Streams: a.streams, Metrics: a.registry, Tracer: a.tracer, Log: a.log, Now: a.now,
	})
	if err != nil {
		return err
	}
	return a.addDashboard(ctx, pages, handler)
}

// addSnapshots loads the snapshots of all projects and keeps them current.
func (a *App) addSnapshots(ctx context.Context) (*snapshot.Registry, error) {
	snapshots := snapshot.NewRegistry(a.store, a.assetBaseURL(), a.log.With("component", "snapshots"), a.registry)
	if err := snapshots.Load(ctx); err != nil {
		return nil, err
	}
	a.loops = append(a.loops, snapshots.Run)
	return snapshots, nil
}

// addIngest opens the ingest log, from which reports are inserted into ClickHouse.
func (a *App) addIngest(snapshots *snapshot.Registry, groups ingest.Groups) (*ingest.Log, error) {
	prompter := watch.NewPrompter(a.store, snapshots, a.log.With("component", "prompter"))
	spikes := incidents.NewWatcher(a.store, a.telemetry, snapshots, a.cfg.IncidentInterval, a.log.With("component", "incidents"), a.now)
	regressed := regressions.NewWatcher(a.store, a.telemetry, a.cfg.IncidentInterval, a.log.With("component", "regressions"), a.now)
	reports, err := ingest.Open(ingest.Options{
		Dir: filepath.Join(a.cfg.DataDir, "ingest"), Sink: a.telemetry, Claims: a.store,
		Erasures: a.store, Backups: a.store, Groups: groups, MaxBytes: a.cfg.IngestLogBytes,
		Inserted:       []func([]models.HealthReport){prompter.Inserted},
		ErrorsInserted: []func([]models.HealthReport){spikes.ErrorsInserted, regressed.ErrorsInserted},
		Served:         []func([]models.Exposure){prompter.Served, spikes.Served},
		Log:            a.log.With("component", "ingest"), Registerer: a.registry, Now: a.now,
	})
	if err != nil {
		return nil, err
	}
	a.closers = append(a.closers, reports.Close)
	a.loops = append(a.loops, reports.Run, prompter.Run, spikes.Run, regressed.Run)
	return reports, nil
}

// linkURL returns the base URL for links in messages, or "" if it is not known. A process that does not serve the API cannot know
// it, and a process that listens on all addresses cannot tell which of them people use.
func (a *App) linkURL() string {
	if a.publicURL() != "" {
		return a.peopleURL()
	}
	address, err := netip.ParseAddrPort(a.Addr())
	if !a.role.API || err != nil || address.Addr().IsUnspecified() {
		return ""
	}
	return a.peopleURL()
}

// streamURL returns the URL at which web pages reach this API, or "" if it is not known. A page that gets a wrong URL would
// try it again every second.
func (a *App) streamURL() string {
	address, err := netip.ParseAddrPort(a.Addr())
	if a.cfg.BaseURL == "" && (err != nil || address.Addr().IsUnspecified()) {
		return ""
	}
	return cmp.Or(a.cfg.BaseURL, "http://"+a.Addr())
}

// assetBaseURL returns the beginning of asset URLs in manifests.
func (a *App) assetBaseURL() string {
	return cmp.Or(a.cfg.AssetBaseURL, a.cfg.BaseURL, "http://"+a.Addr())
}
