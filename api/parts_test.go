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

// parts are what the API of a test is made of, each once, for tests to change.
type parts struct {
	Keys              Keys
	AuthorKeys        AuthorKeys
	Sessions          Sessions
	People            People
	Members           Members
	Passkeys          Passkeys
	Passwords         Passwords
	IdentityProviders IdentityProviders
	Projects          interface {
		Projects
		KeyProjects
	}
	UserProjects      UserProjects
	APIKeys           APIKeys
	TrustedPublishers TrustedPublishers
	Publishers        Publishers
	IDTokens          IDTokens
	Builds            Builds
	Blobs             Blobs
	Files             Files
	FileParts         FileParts
	Stager            Stager
	SourceMaps        SourceMaps
	SourceMapStore    SourceMapStore
	Stacks            Stacks
	Releases          Releases
	Branches          Branches
	Channels          Channels
	Policies          Policies
	Flags             Flags
	Segments          Segments
	Executions        Executions
	Approvals         Approvals
	EmergencyStops    EmergencyStops
	RolloutCommands   RolloutCommands
	Changes           Changes
	ProjectFeed       ProjectFeed
	UserOverrides     UserOverrides
	Contexts          Contexts
	Webhooks          Webhooks
	SigningKeys       SigningKeys
	Audit             Audit
	Settings          Settings
	Collector         Collector
	Eraser            Eraser
	Idempotency       Idempotency
	Transactions      Transactions
	Previews          Previews
	Snapshots         interface {
		DeviceSnapshots
		Served
	}
	Assets        Assets
	Patches       Patches
	PatchFiles    PatchFiles
	AssetRedirect time.Duration
	Reports       Reports
	Exposures     Exposures
	KnownDevices  interface {
		KnownDevices
		ServedDevices
	}
	RefusedCounter    RefusedCounter
	EvaluatedContexts EvaluatedContexts
	SegmentDevices    SegmentDevices
	Evaluations       Evaluations
	Insights          interface {
		Insights
		FlagTelemetry
		Activity
	}
	UpdateNames   UpdateNames
	Overviews     Overviews
	Observed      Observed
	Incidents     Incidents
	ErrorGroups   ErrorGroups
	ReleasePlaces ReleasePlaces

	RootKeyHash     []byte
	BaseURL         string
	CookieKey       []byte
	SessionKeys     [][]byte
	RelyingParty    *passkey.RelyingParty
	SSOOnly         bool
	TrustedProxies  []string
	Limits          UploadLimits
	ReportBytes     int64
	MaxStreams      int
	BodyTime        time.Duration
	Heartbeat       time.Duration
	StreamWriteTime time.Duration
	Rates           Rates
	Readiness       *Readiness
	Streams         context.Context
	Metrics         *prometheus.Registry
	Tracer          trace.Tracer
	Log             *slog.Logger
	Now             func() time.Time
}

// deps gives each package of the API its parts.
func (p parts) deps() Deps {
	return Deps{
		Access: Gate{
			Keys: p.Keys, AuthorKeys: p.AuthorKeys, Sessions: p.Sessions, Projects: p.Projects, RootKeyHash: p.RootKeyHash,
			CookieKey: p.CookieKey, SessionKeys: p.SessionKeys, BaseURL: p.BaseURL, Heartbeat: p.Heartbeat, StreamWriteTime: p.StreamWriteTime,
		},
		Auth: AuthHandlers{
			People: p.People, Members: p.Members, Sessions: p.Sessions, Passkeys: p.Passkeys, Passwords: p.Passwords,
			IdentityProviders: p.IdentityProviders, Publishers: p.Publishers, IDTokens: p.IDTokens, BaseURL: p.BaseURL,
			RelyingParty: p.RelyingParty, SSOOnly: p.SSOOnly,
		},
		Device: DeviceHandlers{
			Snapshots: p.Snapshots, Assets: p.Assets, PatchFiles: p.PatchFiles, AssetRedirect: p.AssetRedirect, Reports: p.Reports,
			Exposures: p.Exposures, Evaluations: p.Evaluations, EvaluatedContexts: p.EvaluatedContexts, KnownDevices: p.KnownDevices,
			RefusedCounter: p.RefusedCounter, ReportBytes: p.ReportBytes,
		},
		Project: ProjectHandlers{
			Projects: p.Projects, UserProjects: p.UserProjects, APIKeys: p.APIKeys, TrustedPublishers: p.TrustedPublishers,
			SigningKeys: p.SigningKeys, Settings: p.Settings, Collector: p.Collector, Eraser: p.Eraser, Audit: p.Audit,
			ProjectFeed: p.ProjectFeed,
		},
		Builds: BuildsHandlers{
			Builds: p.Builds, Blobs: p.Blobs, Files: p.Files, FileParts: p.FileParts, Stager: p.Stager, SourceMaps: p.SourceMaps,
			SourceMapStore: p.SourceMapStore, Limits: p.Limits,
		},
		Releases: ReleasesHandlers{
			Releases: p.Releases, Builds: p.Builds, Branches: p.Branches, Channels: p.Channels, UserOverrides: p.UserOverrides,
			Patches: p.Patches, Snapshots: p.Snapshots,
		},
		Rollouts: RolloutsHandlers{
			Policies: p.Policies, Executions: p.Executions, RolloutCommands: p.RolloutCommands, EmergencyStops: p.EmergencyStops,
			Previews: p.Previews, Changes: p.Changes, Observed: p.Observed, Activity: p.Insights,
		},
		Approvals: ApprovalsHandlers{Approvals: p.Approvals},
		Flags: FlagsHandlers{
			Flags: p.Flags, Segments: p.Segments, Contexts: p.Contexts, Health: p.Insights, SegmentDevices: p.SegmentDevices,
			Names: p.UpdateNames, Snapshots: p.Snapshots,
		},
		Insights: InsightsHandlers{
			Insights: p.Insights, ErrorGroups: p.ErrorGroups, Incidents: p.Incidents, Overviews: p.Overviews, ReleasePlaces: p.ReleasePlaces,
			Stacks: p.Stacks, Names: p.UpdateNames, Snapshots: p.Snapshots,
		},
		Webhooks:    WebhooksHandlers{Webhooks: p.Webhooks},
		Idempotency: p.Idempotency, Transactions: p.Transactions, Served: p.Snapshots, KnownDevices: p.KnownDevices,
		Limits:    LimitSettings{Rates: p.Rates, Streams: p.MaxStreams, TrustedProxies: p.TrustedProxies},
		BodyTime:  p.BodyTime,
		Readiness: p.Readiness, Streams: p.Streams, Metrics: p.Metrics, Tracer: p.Tracer, Log: p.Log, Now: p.Now,
	}
}

// storedCalls makes approved calls as a worker does.
func (p parts) storedCalls(t *testing.T) *StoredCalls {
	t.Helper()
	calls, err := NewStoredCalls(StoredCallDeps{
		AuthorKeys: p.AuthorKeys, Sessions: p.Sessions, Projects: p.Projects, Builds: p.Builds, Releases: p.Releases, Channels: p.Channels,
		UserOverrides: p.UserOverrides, Executions: p.Executions, RolloutCommands: p.RolloutCommands, EmergencyStops: p.EmergencyStops,
		Flags: p.Flags, Segments: p.Segments, SegmentDevices: p.SegmentDevices, Names: p.UpdateNames,
		Log: slog.New(slog.DiscardHandler), Now: p.Now,
	})
	require.NoError(t, err)
	return calls
}

// documentedRoutes are the routes with their document.
func documentedRoutes(t testing.TB) *mux {
	t.Helper()
	m, err := newDocumented()
	require.NoError(t, err)
	return m
}
