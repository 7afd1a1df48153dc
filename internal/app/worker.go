package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"
	temporal "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/activities"
	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api"
	"github.com/waft-ota/waft/internal/assets/retention"
	"github.com/waft-ota/waft/internal/base/tracing"
	"github.com/waft-ota/waft/internal/base/version"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/identity/mail"
	"github.com/waft-ota/waft/internal/observe/watch"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/internal/webhookclient"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

const (
	// temporalRetry is the interval at which a worker tries to connect while Temporal is unavailable.
	temporalRetry = time.Second
	// pollers is how many polls for tasks of a kind a worker has open. Temporal prefers tasks of
	// running rollouts, so with the default of two new rollouts would wait.
	pollers = 16
	// stickyTimeout is how long Temporal keeps a task for the worker that has its rollout in memory before another worker may
	// take it. It is well below the life of a command, which must take effect even if that worker was just killed.
	stickyTimeout = 2 * time.Second
	// attemptsAtOnce is how many webhook deliveries a worker attempts at the same time. An
	// attempt may take 15 s; activities.Lanes bounds the attempts of one webhook.
	attemptsAtOnce = 256
	// deliveryPollers is few: webhook deliveries may wait.
	deliveryPollers = 4
	// filesHeartbeat is how long heartbeats of compression are held back at most. Without it the SDK sends them just before
	// their timeout, so that a busy machine would seem dead.
	filesHeartbeat = 5 * time.Second
	// stepsHeartbeat is the same for the steps of rollouts and approvals, which another worker takes over sooner.
	stepsHeartbeat = 2 * time.Second
)

// addWorker makes the process execute and watch rollouts, and relay the outbox.
func (a *App) addWorker() {
	relay := unit.NewRelay(a.store.DB, a.relayed, a.log.With("component", "relay"))
	sweeper := retention.Sweeper{Store: a.store, Log: a.log.With("component", "retention"), Now: a.now}
	// Rollouts run by the clocks of Postgres and Temporal, so the watcher does, too.
	watcher := watch.NewWatcher(a.store, a.telemetry, a.telemetry, a.rollouts, a.log.With("component", "watcher"), time.Now)
	poller := poller{
		start: a.startTemporalWorker, polling: &a.polling, retry: temporalRetry,
		log: a.log.With("component", "worker", "taskQueue", a.cfg.TaskQueue),
	}
	a.loops = append(a.loops, relay.Run, poller.run, watcher.Run, sweeper.Run)
	a.registry.MustRegister(newOutboxBacklog(a.store.OutboxBacklog, a.log.With("component", "relay")))
	a.deliveries = newDeliveryMetrics(a.registry, a.store.WebhookBacklog, a.log.With("component", "webhooks"))
}

// addSender makes the client that posts to webhooks.
func (a *App) addSender() error {
	targets, err := targetsOf(a.cfg, "WAFT_WEBHOOK_ALLOWED_NETWORKS", a.cfg.WebhookAllowedNetworks)
	if err != nil {
		return err
	}
	a.sender = webhookclient.NewClient(targets)
	a.closers = append(a.closers, func() error { a.sender.Close(); return nil })
	return nil
}

// mailer returns what sends mails, nil when WAFT_SMTP_URL is empty. The settings were checked.
func (a *App) mailer() activities.Mailer {
	if a.cfg.SMTPURL == "" {
		return nil
	}
	settings, err := mail.ParseURL(a.cfg.SMTPURL)
	if err != nil {
		return nil
	}
	return mail.NewClient(settings, a.peopleURL())
}

// operations makes the changes that may have to wait for approvals.
func (a *App) operations() operations.Operations {
	return operations.Operations{
		Releases: a.store, Rollouts: a.store, Commands: a.rollouts, Flags: a.store, Approvals: a.store, Authors: a.store,
	}
}

func (a *App) startTemporalWorker(ctx context.Context, lost func(error)) (stop func(), err error) {
	if err := workflows.CheckSearchAttributes(ctx, a.temporal, a.cfg.TemporalNamespace); err != nil {
		return nil, err
	}
	approved := a.operations()
	versioning := deploymentOptions(a.cfg)
	w := worker.New(a.temporal, a.cfg.TaskQueue, worker.Options{
		WorkerStopTimeout: a.cfg.ShutdownTimeout, OnFatalError: lost, DeploymentOptions: versioning,
		MaxConcurrentWorkflowTaskPollers: pollers, MaxConcurrentActivityTaskPollers: pollers,
		StickyScheduleToStartTimeout: stickyTimeout, MaxHeartbeatThrottleInterval: stepsHeartbeat,
	})
	all := &activities.Activities{
		Rollouts: a.store, Health: a.telemetry,
		Patches: a.store, Running: a.telemetry, Files: a.bucket, PatchBases: a.cfg.PatchBases,
		FileStore: a.store, Compressor: a.bucket,
		Approvals: a.store, Operations: &approved,
		Schedules: a.store, ScheduleOperations: &approved,
		Mails: a.store, Mailer: a.mailer(), Log: a.log.With("component", "mail"),
		Deliveries: a.store, Sender: a.sender, PublicURL: a.linkURL(), WebhookSchedule: a.cfg.WebhookRetries, Attempted: a.deliveries.attempted,
		Lanes: activities.NewLanes(),
	}
	workflows.Register(w, all)
	// A patch takes much memory, so one is made at a time.
	p := worker.New(a.temporal, workflows.PatchesQueue(a.cfg.TaskQueue), worker.Options{
		WorkerStopTimeout: a.cfg.ShutdownTimeout, OnFatalError: lost, DeploymentOptions: versioning,
		MaxConcurrentActivityExecutionSize: 1, DisableWorkflowWorker: true,
	})
	workflows.RegisterPatches(p, all)
	// Half of the processors, so that devices are served while files are compressed.
	f := worker.New(a.temporal, workflows.FilesQueue(a.cfg.TaskQueue), worker.Options{
		WorkerStopTimeout: a.cfg.ShutdownTimeout, OnFatalError: lost, DeploymentOptions: versioning,
		MaxConcurrentActivityExecutionSize: max(1, runtime.GOMAXPROCS(0)/2), DisableWorkflowWorker: true,
		MaxHeartbeatThrottleInterval: filesHeartbeat,
	})
	workflows.RegisterFiles(f, all)
	// Deliveries have a worker of their own: slow receivers must not delay rollouts.
	d := worker.New(a.temporal, workflows.WebhooksQueue(a.cfg.TaskQueue), worker.Options{
		WorkerStopTimeout: a.cfg.ShutdownTimeout, OnFatalError: lost, DeploymentOptions: versioning,
		MaxConcurrentActivityExecutionSize: attemptsAtOnce,
		MaxConcurrentWorkflowTaskPollers:   deliveryPollers, MaxConcurrentActivityTaskPollers: deliveryPollers,
	})
	workflows.RegisterDeliveries(d, all)
	return startAll(w, p, f, d)
}

// deploymentOptions returns the options of Temporal's worker versioning, which is off without WAFT_WORKER_DEPLOYMENT. Running
// workflows move to the deployment's current version, because a rollout may take weeks. This works because each version of Waft can
// replay the histories of earlier versions.
func deploymentOptions(cfg config.Config) worker.DeploymentOptions {
	if cfg.WorkerDeployment == "" {
		return worker.DeploymentOptions{}
	}
	buildID := cmp.Or(cfg.WorkerBuildID, version.String())
	return worker.DeploymentOptions{
		UseVersioning:             true,
		Version:                   worker.WorkerDeploymentVersion{DeploymentName: cfg.WorkerDeployment, BuildID: buildID},
		DefaultVersioningBehavior: workflow.VersioningBehaviorAutoUpgrade,
	}
}

// startAll starts all workers or none.
func startAll(all ...worker.Worker) (stop func(), err error) {
	for i, w := range all {
		if err := w.Start(); err != nil {
			stopAll(all[:i])
			return nil, err
		}
	}
	return func() { stopAll(all) }, nil
}

// stopAll stops the workers at the same time and waits for their activities.
func stopAll(all []worker.Worker) {
	var stopping sync.WaitGroup
	for _, w := range all {
		stopping.Go(w.Stop)
	}
	stopping.Wait()
}

// relayed relays an outbox message in the trace of the change that wrote it.
func (a *App) relayed(ctx context.Context, m models.OutboxMessage) (err error) {
	if a.tracer != nil && m.TraceContext != nil {
		var span trace.Span
		ctx, span = a.tracer.Start(tracing.WithContext(ctx, *m.TraceContext), "relay "+string(m.Kind))
		defer func() { tracing.End(span, err) }()
	}
	return a.tell(ctx, m)
}

// tell passes an outbox message to Temporal, or to Postgres what another transaction decides. It may be repeated.
func (a *App) tell(ctx context.Context, m models.OutboxMessage) error {
	switch m.Kind {
	case models.OutboxRolloutStart:
		return withPayload(ctx, m, a.rollouts.StartRollout)
	case models.OutboxRolloutSuperseded:
		return withPayload(ctx, m, a.rollouts.Superseded)
	case models.OutboxRolloutRelinked:
		return withPayload(ctx, m, a.rollouts.Relinked)
	case models.OutboxRolloutReverted:
		return withPayload(ctx, m, a.rollouts.Reverted)
	case models.OutboxRolloutDisabled:
		return withPayload(ctx, m, a.pauseDisabled)
	case models.OutboxApprovalStart:
		return withPayload(ctx, m, a.rollouts.StartApproval)
	case models.OutboxApprovalDecided:
		return withPayload(ctx, m, a.rollouts.Decided)
	case models.OutboxFlagScheduleStart:
		return withPayload(ctx, m, a.rollouts.StartFlagSchedule)
	case models.OutboxFlagScheduleEnded:
		return withPayload(ctx, m, a.rollouts.FlagScheduleEnded)
	case models.OutboxPatchesBuild:
		return withPayload(ctx, m, a.buildPatches)
	case models.OutboxFilesCompress:
		return withPayload(ctx, m, a.rollouts.CompressFiles)
	case models.OutboxWebhookDeliver:
		return withPayload(ctx, m, a.rollouts.DeliverWebhook)
	case models.OutboxWebhookEnded:
		return withPayload(ctx, m, a.rollouts.DeliveryEnded)
	case models.OutboxPasswordForgotten:
		return withPayload(ctx, m, a.store.BeginPasswordReset)
	case models.OutboxMailSend:
		return withPayload(ctx, m, a.rollouts.SendMail)
	default:
		return fmt.Errorf("outbox message %d has the unknown kind %q; is an older worker running?", m.ID, m.Kind)
	}
}

// pauseDisabled pauses the rollout of a release, unless it was enabled again or is gone.
func (a *App) pauseDisabled(ctx context.Context, d models.RolloutDisabled) error {
	r, err := a.store.Release(ctx, d.ProjectID, d.ReleaseID)
	if models.CodeOf(err) == models.CodeNotFound || err == nil && r.IsEnabled {
		return nil
	}
	if err != nil {
		return err
	}
	return a.rollouts.Disabled(ctx, d)
}

// buildPatches starts the workflow that creates the patches to a release. It does not start the workflow if a patch is not possible:
// for a first release, a release with the same bundle as its predecessors, or a deleted release.
func (a *App) buildPatches(ctx context.Context, b models.PatchBuild) error {
	candidates, err := a.store.PatchCandidates(ctx, b.ProjectID, b.ReleaseID)
	if models.CodeOf(err) == models.CodeNotFound || err == nil && !candidates.Some() {
		return nil
	}
	if err != nil {
		return err
	}
	return a.rollouts.BuildPatches(ctx, b)
}

// withPayload decodes a message's payload for carryOut.
func withPayload[T any](ctx context.Context, m models.OutboxMessage, carryOut func(context.Context, T) error) error {
	var payload T
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return fmt.Errorf("payload of outbox message %d (%s): %w", m.ID, m.Kind, err)
	}
	return carryOut(ctx, payload)
}

// workerHandler serves the probes of a process without the API.
func (a *App) workerHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /healthz", api.NewLiveness())
	mux.Handle("GET /readyz", a.readiness.Public())
	return mux
}

// checks returns the readiness checks of the process's dependencies, by name.
func (a *App) checks() api.Checks {
	checks := api.Checks{
		"postgres":   func(ctx context.Context) error { return explained("DATABASE_URL", a.store.CheckWritable(ctx)) },
		"clickhouse": func(ctx context.Context) error { return explained("CLICKHOUSE_URL", a.telemetry.Ping(ctx)) },
		"temporal": func(ctx context.Context) error {
			_, err := a.temporal.CheckHealth(ctx, &temporal.CheckHealthRequest{})
			return explained("TEMPORAL_ADDRESS", err)
		},
	}
	if a.role.API {
		checks["assets"] = func(ctx context.Context) error { return explained("WAFT_ASSET_BUCKET_URL", a.bucket.Ping(ctx)) }
	}
	if a.role.Worker {
		checks["worker"] = func(context.Context) error {
			if !a.polling.Load() {
				return errors.New("it does not poll Temporal")
			}
			return nil
		}
	}
	return checks
}
