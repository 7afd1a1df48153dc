package api

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// fakeStore is every service behind the handlers. A function that is not set
// stands for a service that finds an empty, valid record.
type fakeStore struct {
	keys     map[string]models.APIKey // by prefix
	touched  []int64
	answers  []keptAnswer
	flags    fakeFlags
	insights fakeInsights

	findKey         func(prefix string) (models.APIKey, error)
	findProject     func(slug string) (models.Project, error)
	createProject   func(models.Actor, models.NewProject) (models.Project, error)
	createAPIKey    func(models.NewAPIKey, models.APIKeyToken) (models.APIKey, error)
	createBuild     func(models.NewBuild) (models.Build, error)
	knownBlobs      func(md5s []string) (map[string]string, error)
	publish         func(models.Publish) (models.Release, error)
	listReleases    func(models.ReleaseFilter, models.Page) ([]models.Release, error)
	release         func(id int64) (models.Release, error)
	updateID        func(id uuid.UUID) (int64, error)
	buildID         func(id uuid.UUID) (int64, error)
	executionID     func(workflowID string) (int64, error)
	updateRelease   func(id int64, patch models.ReleasePatch) (models.Release, error)
	deleteBranch    func(name string) error
	createChannel   func(models.NewChannel) (models.Channel, error)
	updateChannel   func(name string, patch models.ChannelPatch) (models.Channel, error)
	republish       func(id int64, n models.Republish) (models.Republished, error)
	rollback        func(models.Rollback) (models.Release, error)
	history         func(id int64, page models.HistoryPage) ([]models.AuditEntry, error)
	updatePolicy    func(id int64, patch models.PolicyPatch) (models.RolloutPolicy, error)
	deletePolicy    func(id int64) error
	updateSettings  func(models.SettingsPatch) (models.Settings, error)
	preview         func() (models.Garbage, error)
	collect         func(models.Actor) (models.Garbage, error)
	createPolicy    func(models.NewRolloutPolicy) (models.RolloutPolicy, error)
	execution       func(id int64) (models.RolloutExecution, error)
	command         func(workflowID string, c models.RolloutCommand, in models.CommandInput) error
	watch           func(ctx context.Context, id int64) <-chan struct{}
	listAudit       func(models.AuditFilter, models.Page) ([]models.AuditEntry, error)
	createOverride  func(models.NewUserOverride) (models.UserOverride, error)
	createWebhook   func(models.NewWebhook) (models.Webhook, models.WebhookSecret, error)
	updateWebhook   func(id int64, patch models.WebhookPatch) (models.Webhook, error)
	listDeliveries  func(webhookID int64, page models.Page) ([]models.WebhookDelivery, error)
	saveContext     func(models.SeenContext) (models.EvaluationContext, bool, error)
	listContexts    func(models.ContextFilter, models.Page) ([]models.EvaluationContext, error)
	putSigningKey   func(models.NewSigningKey) (models.SigningKey, error)
	appendReport    func(models.HealthReport) error
	served          []models.Serve
	erase           func(deviceID string) (bool, error)
	deletedProjects []string
}

func (f *fakeStore) APIKeyByPrefix(_ context.Context, prefix string) (models.APIKey, error) {
	if f.findKey != nil {
		return f.findKey(prefix)
	}
	if k, ok := f.keys[prefix]; ok {
		return k, nil
	}
	return models.APIKey{}, models.Errorf(models.CodeNotFound, "no such key")
}

func (f *fakeStore) TouchAPIKey(_ context.Context, id int64, _ time.Time) error {
	f.touched = append(f.touched, id)
	return nil
}

func (f *fakeStore) Project(_ context.Context, slug string) (models.Project, error) {
	if f.findProject != nil {
		return f.findProject(slug)
	}
	for _, p := range []models.Project{demo, other} {
		if slug == p.Slug || slug == p.UUID.String() {
			return p, nil
		}
	}
	return models.Project{}, models.Errorf(models.CodeNotFound, "there is no project %q", slug)
}

func (f *fakeStore) CreateProject(_ context.Context, actor models.Actor, n models.NewProject) (models.Project, error) {
	if f.createProject != nil {
		return f.createProject(actor, n)
	}
	return demo, nil
}

func (f *fakeStore) ListProjects(context.Context, models.Page) ([]models.Project, error) {
	return nil, nil
}

func (f *fakeStore) DeleteProject(_ context.Context, _ models.Actor, slug string) error {
	f.deletedProjects = append(f.deletedProjects, slug)
	return nil
}

func (f *fakeStore) CreateAPIKey(
	_ context.Context, _ int64, _ models.Actor, n models.NewAPIKey, t models.APIKeyToken,
) (models.APIKey, error) {
	if f.createAPIKey != nil {
		return f.createAPIKey(n, t)
	}
	return models.APIKey{}, nil
}

func (f *fakeStore) ListAPIKeys(context.Context, int64, models.Page) ([]models.APIKey, error) {
	return nil, nil
}

func (f *fakeStore) RevokeAPIKey(context.Context, int64, models.Actor, int64) error { return nil }

func (f *fakeStore) CreateBuild(_ context.Context, _ int64, _ models.Actor, n models.NewBuild) (models.Build, error) {
	if f.createBuild != nil {
		return f.createBuild(n)
	}
	return models.Build{}, nil
}

func (f *fakeStore) HoldBlobs(_ context.Context, _ int64, md5s []string) (hold models.BlobHold, err error) {
	if f.knownBlobs != nil {
		hold.Known, err = f.knownBlobs(md5s)
	}
	return hold, err
}

func (f *fakeStore) ListBuilds(context.Context, int64, models.Page) ([]models.Build, error) {
	return nil, nil
}

func (f *fakeStore) DeleteBuild(context.Context, int64, models.Actor, int64) error { return nil }

func (f *fakeStore) Publish(_ context.Context, _ int64, _ models.Actor, p models.Publish) (models.Release, error) {
	if f.publish != nil {
		return f.publish(p)
	}
	return models.Release{}, nil
}

func (f *fakeStore) ListReleases(
	_ context.Context, _ int64, filter models.ReleaseFilter, page models.Page,
) ([]models.Release, error) {
	if f.listReleases != nil {
		return f.listReleases(filter, page)
	}
	return nil, nil
}

func (f *fakeStore) Release(_ context.Context, _, id int64) (models.Release, error) {
	if f.release != nil {
		return f.release(id)
	}
	return models.Release{ID: id}, nil
}

func (f *fakeStore) UpdateID(_ context.Context, _ int64, id uuid.UUID) (int64, error) {
	if f.updateID != nil {
		return f.updateID(id)
	}
	return 17, nil
}

func (f *fakeStore) BuildID(_ context.Context, _ int64, id uuid.UUID) (int64, error) {
	if f.buildID != nil {
		return f.buildID(id)
	}
	return 12, nil
}

func (f *fakeStore) ExecutionID(_ context.Context, _ int64, workflowID string) (int64, error) {
	if f.executionID != nil {
		return f.executionID(workflowID)
	}
	return 21, nil
}

func (f *fakeStore) UpdateRelease(
	_ context.Context, _ int64, _ models.Actor, id int64, patch models.ReleasePatch,
) (models.Release, error) {
	if f.updateRelease != nil {
		return f.updateRelease(id, patch)
	}
	return models.Release{ID: id}, nil
}

func (f *fakeStore) DeleteRelease(context.Context, int64, models.Actor, int64) error { return nil }

func (f *fakeStore) CreateBranch(_ context.Context, _ int64, _ models.Actor, n models.NewBranch) (models.Branch, error) {
	return models.Branch{ID: 5, Name: n.Name}, nil
}

func (f *fakeStore) ListBranches(context.Context, int64, models.Page) ([]models.Branch, error) {
	return nil, nil
}

func (f *fakeStore) DeleteBranch(_ context.Context, _ int64, _ models.Actor, name string) error {
	if f.deleteBranch != nil {
		return f.deleteBranch(name)
	}
	return nil
}

func (f *fakeStore) CreateChannel(_ context.Context, _ int64, _ models.Actor, n models.NewChannel) (models.Channel, error) {
	if f.createChannel != nil {
		return f.createChannel(n)
	}
	return models.Channel{}, nil
}

func (f *fakeStore) ListChannels(context.Context, int64, models.Page) ([]models.Channel, error) {
	return nil, nil
}

func (f *fakeStore) UpdateChannel(
	_ context.Context, _ int64, _ models.Actor, name string, patch models.ChannelPatch,
) (models.Channel, error) {
	if f.updateChannel != nil {
		return f.updateChannel(name, patch)
	}
	return models.Channel{Name: name}, nil
}

func (f *fakeStore) DeleteChannel(context.Context, int64, models.Actor, string) error { return nil }

func (f *fakeStore) CreatePolicy(
	_ context.Context, _ int64, _ models.Actor, n models.NewRolloutPolicy,
) (models.RolloutPolicy, error) {
	if f.createPolicy != nil {
		return f.createPolicy(n)
	}
	return models.RolloutPolicy{}, nil
}

func (f *fakeStore) ListPolicies(context.Context, int64, models.Page) ([]models.RolloutPolicy, error) {
	return nil, nil
}

func (f *fakeStore) Policy(_ context.Context, _, id int64) (models.RolloutPolicy, error) {
	return models.RolloutPolicy{ID: id}, nil
}

func (f *fakeStore) UpdatePolicy(
	_ context.Context, _ int64, _ models.Actor, id int64, patch models.PolicyPatch,
) (models.RolloutPolicy, error) {
	if f.updatePolicy != nil {
		return f.updatePolicy(id, patch)
	}
	return models.RolloutPolicy{ID: id}, nil
}

func (f *fakeStore) DeletePolicy(_ context.Context, _ int64, _ models.Actor, id int64) error {
	if f.deletePolicy != nil {
		return f.deletePolicy(id)
	}
	return nil
}

func (f *fakeStore) Republish(
	_ context.Context, _ int64, _ models.Actor, id int64, n models.Republish,
) (models.Republished, error) {
	if f.republish != nil {
		return f.republish(id, n)
	}
	return models.Republished{}, nil
}

func (f *fakeStore) Rollback(_ context.Context, _ int64, _ models.Actor, n models.Rollback) (models.Release, error) {
	if f.rollback != nil {
		return f.rollback(n)
	}
	return models.Release{}, nil
}

func (f *fakeStore) ReleaseHistory(
	_ context.Context, _, id int64, page models.HistoryPage,
) ([]models.AuditEntry, error) {
	if f.history != nil {
		return f.history(id, page)
	}
	return nil, nil
}

func (f *fakeStore) Settings(context.Context, int64) (models.Settings, error) {
	return models.Settings{}, nil
}

func (f *fakeStore) UpdateSettings(
	_ context.Context, _ int64, _ models.Actor, patch models.SettingsPatch,
) (models.Settings, error) {
	if f.updateSettings != nil {
		return f.updateSettings(patch)
	}
	return models.Settings{}, nil
}

func (f *fakeStore) Preview(context.Context, int64) (models.Garbage, error) {
	if f.preview != nil {
		return f.preview()
	}
	return models.Garbage{}, nil
}

func (f *fakeStore) Run(_ context.Context, _ int64, actor models.Actor) (models.Garbage, error) {
	if f.collect != nil {
		return f.collect(actor)
	}
	return models.Garbage{}, nil
}

func (f *fakeStore) StartRollout(
	_ context.Context, _ int64, _ models.Actor, policyID, updateID int64,
) (models.RolloutExecution, error) {
	return models.RolloutExecution{ID: 21, PolicyID: &policyID, UpdateID: updateID, Status: models.ExecutionRunning}, nil
}

func (f *fakeStore) RollBackExecution(
	_ context.Context, _ int64, _ models.Actor, id int64, _ models.ExecutionRollback,
) (models.RolloutExecution, error) {
	return models.RolloutExecution{ID: id, Status: models.ExecutionRolledBack}, nil
}

func (f *fakeStore) ListExecutions(context.Context, int64, models.Page) ([]models.RolloutExecution, error) {
	return nil, nil
}

func (f *fakeStore) Execution(_ context.Context, _, id int64) (models.RolloutExecution, error) {
	if f.execution != nil {
		return f.execution(id)
	}
	return models.RolloutExecution{ID: id, Status: models.ExecutionRunning}, nil
}

func (f *fakeStore) Command(_ context.Context, workflowID string, c models.RolloutCommand, in models.CommandInput) error {
	if f.command != nil {
		return f.command(workflowID, c, in)
	}
	return nil
}

func (f *fakeStore) Watch(ctx context.Context, id int64) <-chan struct{} {
	if f.watch != nil {
		return f.watch(ctx, id)
	}
	return nil
}

func (f *fakeStore) ListAudit(_ context.Context, _ int64, filter models.AuditFilter, page models.Page) ([]models.AuditEntry, error) {
	if f.listAudit != nil {
		return f.listAudit(filter, page)
	}
	return nil, nil
}

func (f *fakeStore) Erase(_ context.Context, _ int64, _ models.Actor, deviceID string) (bool, error) {
	if f.erase == nil {
		return true, nil
	}
	return f.erase(deviceID)
}

func (f *fakeStore) Served(s models.Serve) { f.served = append(f.served, s) }

func (f *fakeStore) Append(_ context.Context, r models.HealthReport) error {
	if f.appendReport != nil {
		return f.appendReport(r)
	}
	return nil
}
