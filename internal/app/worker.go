package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/sdk/worker"

	"github.com/waft-ota/waft/activities"
	"github.com/waft-ota/waft/api"
	"github.com/waft-ota/waft/internal/retention"
	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/tracing"
	"github.com/waft-ota/waft/internal/watch"
	"github.com/waft-ota/waft/internal/webhook"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

const (
	// temporalRetry is how often a worker tries to reach a Temporal that is away.
	temporalRetry = time.Second
	// pollers is how many tasks of a kind a worker polls for at once. A poll brings one task.
	// Temporal hands out tasks of running rollouts before those of new ones, so with the
	// default of two new ones would wait.
	pollers = 16
	// attemptsAtOnce is how many webhook deliveries a worker attempts at the same time. An
	// attempt may take 15 s; activities.Lanes bounds the attempts of one webhook.
	attemptsAtOnce = 256
	// deliveryPollers is few: webhook deliveries may wait.
	deliveryPollers = 4
)

// addWorker makes the process execute and watch rollouts, and relay the outbox.
func (a *App) addWorker() {
	relay := store.NewRelay(a.store, a.relayed, a.log.With("component", "relay"))
	sweeper := retention.Sweeper{Store: a.store, Log: a.log.With("component", "retention"), Now: a.now}
	// Postgres and Temporal have clocks of their own, by which rollouts run.
	watcher := watch.NewWatcher(a.store, a.telemetry, a.rollouts, a.log.With("component", "watcher"), time.Now)
	a.loops = append(a.loops, relay.Run, a.runTemporalWorker, watcher.Run, sweeper.Run)
	a.registry.MustRegister(outboxMetrics{a.store.OutboxBacklog, a.log.With("component", "relay")})
	a.deliveries = newDeliveryMetrics(a.registry, a.store.WebhookBacklog, a.log.With("component", "webhooks"))
}

// addSender makes the client that posts to webhooks.
func (a *App) addSender() error {
	allowed, err := webhook.ParseNetworks(a.cfg.WebhookAllowedNetworks)
	if err != nil {
		return fmt.Errorf("WAFT_WEBHOOK_ALLOWED_NETWORKS: %w", err)
	}
	a.sender = webhook.NewClient(allowed)
	a.closers = append(a.closers, func() error { a.sender.Close(); return nil })
	return nil
}

// runTemporalWorker polls Temporal until ctx ends, then waits for running activities.
func (a *App) runTemporalWorker(ctx context.Context) error {
	p := poller{
		start: a.startTemporalWorker, polling: &a.polling, retry: temporalRetry,
		log: a.log.With("component", "worker", "taskQueue", a.cfg.TaskQueue),
	}
	return p.run(ctx)
}

func (a *App) startTemporalWorker(ctx context.Context, lost func(error)) (stop func(), err error) {
	if err := workflows.CheckSearchAttributes(ctx, a.temporal, a.cfg.TemporalNamespace); err != nil {
		return nil, err
	}
	versioning := deploymentOptions(a.cfg)
	w := worker.New(a.temporal, a.cfg.TaskQueue, worker.Options{
		WorkerStopTimeout: a.cfg.ShutdownTimeout, OnFatalError: lost, DeploymentOptions: versioning,
		MaxConcurrentWorkflowTaskPollers: pollers, MaxConcurrentActivityTaskPollers: pollers,
	})
	all := &activities.Activities{
		Rollouts: a.store, Health: a.telemetry,
		Patches: a.store, Running: a.telemetry, Files: a.bucket, PatchBases: a.cfg.PatchBases,
		Deliveries: a.store, Sender: a.sender, WebhookSchedule: a.cfg.WebhookRetries, Attempted: a.deliveries.attempted,
	}
	workflows.Register(w, all)
	// A patch takes much memory, so one is made at a time.
	p := worker.New(a.temporal, workflows.PatchesQueue(a.cfg.TaskQueue), worker.Options{
		WorkerStopTimeout: a.cfg.ShutdownTimeout, OnFatalError: lost, DeploymentOptions: versioning,
		MaxConcurrentActivityExecutionSize: 1, DisableWorkflowWorker: true,
	})
	workflows.RegisterPatches(p, all)
	// Deliveries have a worker of their own: slow receivers must not delay rollouts.
	d := worker.New(a.temporal, workflows.WebhooksQueue(a.cfg.TaskQueue), worker.Options{
		WorkerStopTimeout: a.cfg.ShutdownTimeout, OnFatalError: lost, DeploymentOptions: versioning,
		MaxConcurrentActivityExecutionSize: attemptsAtOnce,
		MaxConcurrentWorkflowTaskPollers:   deliveryPollers, MaxConcurrentActivityTaskPollers: deliveryPollers,
	})
	workflows.RegisterDeliveries(d, all)
	return startAll(w, p, d)
}

// startAll starts all workers or none.
func startAll(all ...worker.Worker) (stop func(), err error) {
	for i, w := range all {
		if err := w.Start(); err != nil {
			workers(all[:i]).stop()
			return nil, err
		}
	}
	return workers(all).stop, nil
}

// workers are those of a process's task queues.
type workers []worker.Worker

// stop stops all at the same time and waits for their activities.
func (ws workers) stop() {
	var stopping sync.WaitGroup
	for _, w := range ws {
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

// tell tells Temporal what an outbox message says. Repeating it is harmless.
func (a *App) tell(ctx context.Context, m models.OutboxMessage) error {
	switch m.Kind {
	case models.OutboxRolloutStart:
		return keep(ctx, m, a.rollouts.StartRollout)
	case models.OutboxRolloutSuperseded:
		return keep(ctx, m, a.rollouts.Superseded)
	case models.OutboxRolloutRelinked:
		return keep(ctx, m, a.rollouts.Relinked)
	case models.OutboxRolloutReverted:
		return keep(ctx, m, a.rollouts.Reverted)
	case models.OutboxRolloutDisabled:
		return keep(ctx, m, a.pauseDisabled)
	case models.OutboxPatchesBuild:
		return keep(ctx, m, a.buildPatches)
	case models.OutboxWebhookDeliver:
		return keep(ctx, m, a.rollouts.DeliverWebhook)
	case models.OutboxWebhookEnded:
		return keep(ctx, m, a.rollouts.DeliveryEnded)
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

// buildPatches starts the workflow that makes the patches to a release, unless there is
// nothing to make them from: a first release, one of the same bundle, one that is gone.
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

// keep decodes a message's payload and hands it to carryOut.
func keep[T any](ctx context.Context, m models.OutboxMessage, carryOut func(context.Context, T) error) error {
	var payload T
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return fmt.Errorf("payload of outbox message %d (%s): %w", m.ID, m.Kind, err)
	}
	return carryOut(ctx, payload)
}

// workerHandler serves the health and metrics of a process without the API.
func (a *App) workerHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /healthz", api.NewLiveness())
	mux.Handle("GET /readyz", api.NewReadiness(a.checks(), a.log))
	mux.Handle("GET /metrics", promhttp.HandlerFor(a.registry, promhttp.HandlerOpts{}))
	return mux
}
