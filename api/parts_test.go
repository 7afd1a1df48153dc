package api

import (
	"context"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"github.com/waft-ota/waft/activities/operations"
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
	"github.com/waft-ota/waft/internal/identity/passkey"
)

const (
	get    = http.MethodGet
	head   = http.MethodHead
	post   = http.MethodPost
	put    = http.MethodPut
	patch  = http.MethodPatch
	remove = http.MethodDelete
)

// parts are the dependencies of a test's API, each once, for tests to change.
type parts struct {
	Keys              access.Keys
	Sessions          access.Sessions
	People            auth.People
	Positions         auth.Positions
	Members           auth.Members
	Networks          auth.KnownNetworks
	SecureCookies     bool
	Passkeys          auth.Passkeys
	Terminals         auth.Terminals
	Passwords         auth.Passwords
	IdentityProviders auth.IdentityProviders
	Projects          interface {
		project.Projects
		access.Projects
	}
	UserProjects      project.UserProjects
	APIKeys           project.APIKeys
	TrustedPublishers project.TrustedPublishers
	Publishers        auth.Publishers
	IDTokens          auth.IDTokens
	Builds            builds.Builds
	Blobs             builds.Blobs
	Files             builds.Files
	FileParts         builds.FileParts
	Stager            builds.Stager
	SourceMaps        builds.SourceMaps
	SourceMapStore    builds.SourceMapStore
	Stacks            insights.Stacks
	Releases          releases.Releases
	Branches          releases.Branches
	Channels          releases.Channels
	Policies          rollouts.Policies
	Flags             flags.Flags
	Schedules         flags.Schedules
	Segments          flags.Segments
	Executions        rollouts.Executions
	Approvals         approvals.Approvals
	EmergencyStops    rollouts.EmergencyStops
	Operations        operations.Operations
	Endings           approvals.Endings
	Changes           rollouts.Changes
	ProjectFeed       project.ProjectFeed
	UserOverrides     releases.UserOverrides
	Contexts          flags.Contexts
	Webhooks          webhooks.Webhooks
	SigningKeys       project.SigningKeys
	Audit             project.Audit
	Settings          project.Settings
	Collector         project.Collector
	Eraser            project.Eraser
	Idempotency       rest.Idempotency
	Previews          rollouts.Previews
	Snapshots         interface {
		device.Snapshots
		Served
	}
	Assets            device.Assets
	Patches           releases.Patches
	PatchFiles        device.PatchFiles
	AssetRedirect     time.Duration
	Reports           device.Reports
	Exposures         device.Exposures
	KnownDevices      limit.KnownDevices
	RefusedCounter    device.RefusedCounter
	EvaluatedContexts device.EvaluatedContexts
	SegmentDevices    flags.SegmentDevices
	Evaluations       device.Evaluations
	Insights          interface {
		insights.Insights
		flags.Health
		rollouts.Activity
		insights.StreamActivities
	}
	UpdateNames   releases.UpdateNames
	Overviews     insights.Overviews
	Observed      rollouts.Observed
	Incidents     insights.Incidents
	ErrorStatuses insights.ErrorStatuses
	ErrorGroups   insights.ErrorGroups
	ReleasePlaces insights.ReleasePlaces

	RootKeyHash     []byte
	BaseURL         string
	CookieKey       []byte
	SessionKeys     [][]byte
	RelyingParty    *passkey.RelyingParty
	SSOOnly         bool
	ByMail          bool
	TrustedProxies  []string
	Limits          builds.Limits
	ReportBytes     int64
	MaxStreams      int
	Heartbeat       time.Duration
	StreamWriteTime time.Duration
	Rates           limit.Rates
	Readiness       *Readiness
	Streams         context.Context
	Metrics         *prometheus.Registry
	Tracer          trace.Tracer
	Log             *slog.Logger
	Now             func() time.Time
}

// deps passes each package of the API its parts.
func (p parts) deps() Deps {
	return Deps{
		Access: access.Gate{
			Keys: p.Keys, Sessions: p.Sessions, Projects: p.Projects, RootKeyHash: p.RootKeyHash,
			CookieKey: p.CookieKey, SessionKeys: p.SessionKeys, NetworkKeys: p.SessionKeys, BaseURL: p.BaseURL, SecureCookies: p.SecureCookies, Heartbeat: p.Heartbeat, StreamWriteTime: p.StreamWriteTime,
		},
		Auth: auth.Handlers{
			People: p.People, Positions: p.Positions, Members: p.Members, Sessions: p.Sessions, Networks: p.Networks,
			Passkeys: p.Passkeys, Terminals: p.Terminals, Passwords: p.Passwords,
			IdentityProviders: p.IdentityProviders, Publishers: p.Publishers, IDTokens: p.IDTokens, BaseURL: p.BaseURL,
			RelyingParty: p.RelyingParty, SSOOnly: p.SSOOnly, ByMail: p.ByMail,
		},
		Device: device.Handlers{
			Snapshots: p.Snapshots, Assets: p.Assets, PatchFiles: p.PatchFiles, AssetRedirect: p.AssetRedirect, Reports: p.Reports,
			Exposures: p.Exposures, Evaluations: p.Evaluations, EvaluatedContexts: p.EvaluatedContexts,
			RefusedCounter: p.RefusedCounter, ReportBytes: p.ReportBytes, StreamURL: p.BaseURL, StreamKeys: p.SessionKeys,
		},
		Project: project.Handlers{
			Projects: p.Projects, UserProjects: p.UserProjects, APIKeys: p.APIKeys, TrustedPublishers: p.TrustedPublishers,
			SigningKeys: p.SigningKeys, Settings: p.Settings, Collector: p.Collector, Eraser: p.Eraser, Audit: p.Audit,
			ProjectFeed: p.ProjectFeed,
		},
		Builds: builds.Handlers{
			Builds: p.Builds, Blobs: p.Blobs, Files: p.Files, FileParts: p.FileParts, Stager: p.Stager, SourceMaps: p.SourceMaps,
			SourceMapStore: p.SourceMapStore, Limits: p.Limits,
		},
		Releases: releases.Handlers{
			Releases: p.Releases, Builds: p.Builds, Branches: p.Branches, Channels: p.Channels, UserOverrides: p.UserOverrides,
			Patches: p.Patches, Snapshots: p.Snapshots,
		},
		Rollouts: rollouts.Handlers{
			Policies: p.Policies, Executions: p.Executions, EmergencyStops: p.EmergencyStops,
			Previews: p.Previews, Changes: p.Changes, Observed: p.Observed, Activity: p.Insights, StreamActivities: p.Insights,
		},
		Approvals: approvals.Handlers{Approvals: p.Approvals, Endings: p.Endings},
		Flags: flags.Handlers{
			Flags: p.Flags, Schedules: p.Schedules, Segments: p.Segments, Contexts: p.Contexts, Health: p.Insights, SegmentDevices: p.SegmentDevices,
			Names: p.UpdateNames, Snapshots: p.Snapshots,
		},
		Insights: insights.Handlers{
			Insights: p.Insights, StreamActivities: p.Insights,
			ErrorGroups: p.ErrorGroups, ErrorStatuses: p.ErrorStatuses, Incidents: p.Incidents, Overviews: p.Overviews, ReleasePlaces: p.ReleasePlaces,
			Stacks: p.Stacks, Names: p.UpdateNames, Snapshots: p.Snapshots,
		},
		Webhooks:    webhooks.Handlers{Webhooks: p.Webhooks},
		Operations:  p.Operations,
		Idempotency: p.Idempotency, Served: p.Snapshots, KnownDevices: p.KnownDevices, Reference: fakeReference{},
		Limits:    limit.Settings{Rates: p.Rates, Streams: p.MaxStreams, TrustedProxies: p.TrustedProxies},
		Readiness: p.Readiness, Streams: p.Streams, Metrics: p.Metrics, Tracer: p.Tracer, Log: p.Log, Now: p.Now,
	}
}

// documentedRoutes returns the routes with their document.
func documentedRoutes(t testing.TB) *rest.Mux {
	t.Helper()
	m, err := newDocumented()
	require.NoError(t, err)
	return m
}
