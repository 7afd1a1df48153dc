package api

import (
	"context"
	"io"
	"strings"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/models"
)

// fakeBuilds is a Builds. A function that is not set stands for an empty, valid result.
type fakeBuilds struct {
	createBuild func(models.NewBuild) (models.Build, error)
	buildID     func(id uuid.UUID) (int64, error)
}

func (f *fakeBuilds) CreateBuild(_ context.Context, _ int64, _ models.Actor, n models.NewBuild) (models.Build, error) {
	if f.createBuild != nil {
		return f.createBuild(n)
	}
	return models.Build{}, nil
}

func (f *fakeBuilds) ListBuilds(context.Context, int64, models.BuildFilter, models.Page) ([]models.Build, error) {
	return nil, nil
}

func (f *fakeBuilds) Build(_ context.Context, _, id int64) (models.Build, error) {
	return models.Build{ID: id}, nil
}

func (f *fakeBuilds) DeleteBuild(context.Context, int64, models.Actor, int64) error { return nil }

func (f *fakeBuilds) BuildID(_ context.Context, _ int64, id uuid.UUID) (int64, error) {
	if f.buildID != nil {
		return f.buildID(id)
	}
	return 12, nil
}

// fakeBlobs is a Blobs. A function that is not set stands for an empty, valid result.
type fakeBlobs struct {
	knownBlobs func(md5s []string) (map[string]string, error)
}

func (f *fakeBlobs) HoldBlobs(_ context.Context, _ int64, md5s []string) (hold models.BlobHold, err error) {
	if f.knownBlobs != nil {
		hold.Known, err = f.knownBlobs(md5s)
	}
	return hold, err
}

func (f *fakeBlobs) CheckSpace(context.Context, int64, int64) error { return nil }

// fakeReleases is a Releases. A function that is not set stands for an empty, valid result.
type fakeReleases struct {
	deleteRelease func(id int64) error
	publish       func(models.Publish) (models.Release, error)
	listReleases  func(models.ReleaseFilter, models.Page) ([]models.Release, error)
	release       func(id int64) (models.Release, error)
	updateID      func(id uuid.UUID) (int64, error)
	updateRelease func(id int64, patch models.ReleasePatch) (models.Release, error)
	republish     func(id int64, n models.Republish) (models.Republished, error)
	rollback      func(models.Rollback) (models.Release, error)
	history       func(id int64, page models.HistoryPage) ([]models.AuditEntry, error)
}

func (f *fakeReleases) Publish(_ context.Context, _ int64, _ models.Actor, p models.Publish) (models.Release, error) {
	if f.publish != nil {
		return f.publish(p)
	}
	return models.Release{}, nil
}

func (f *fakeReleases) ListReleases(
	_ context.Context, _ int64, filter models.ReleaseFilter, page models.Page,
) ([]models.Release, error) {
	if f.listReleases != nil {
		return f.listReleases(filter, page)
	}
	return nil, nil
}

func (f *fakeReleases) Release(_ context.Context, _, id int64) (models.Release, error) {
	if f.release != nil {
		return f.release(id)
	}
	return models.Release{ID: id}, nil
}

func (f *fakeReleases) UpdateID(_ context.Context, _ int64, id uuid.UUID) (int64, error) {
	if f.updateID != nil {
		return f.updateID(id)
	}
	return 17, nil
}

func (f *fakeReleases) UpdateRelease(
	_ context.Context, _ int64, _ models.Actor, id int64, patch models.ReleasePatch,
) (models.Release, error) {
	if f.updateRelease != nil {
		return f.updateRelease(id, patch)
	}
	return models.Release{ID: id}, nil
}

func (f *fakeReleases) DeleteRelease(_ context.Context, _ int64, _ models.Actor, id int64) error {
	if f.deleteRelease != nil {
		return f.deleteRelease(id)
	}
	return nil
}

func (f *fakeReleases) Republish(
	_ context.Context, _ int64, _ models.Actor, id int64, n models.Republish,
) (models.Republished, error) {
	if f.republish != nil {
		return f.republish(id, n)
	}
	return models.Republished{}, nil
}

func (f *fakeReleases) Rollback(_ context.Context, _ int64, _ models.Actor, n models.Rollback) (models.Release, error) {
	if f.rollback != nil {
		return f.rollback(n)
	}
	return models.Release{}, nil
}

func (f *fakeReleases) ReleaseHistory(
	_ context.Context, _, id int64, page models.HistoryPage,
) ([]models.AuditEntry, error) {
	if f.history != nil {
		return f.history(id, page)
	}
	return nil, nil
}

// fakeBranches is a Branches. A function that is not set stands for an empty, valid result.
type fakeBranches struct {
	deleteBranch func(name string) error
}

func (f *fakeBranches) CreateBranch(_ context.Context, _ int64, _ models.Actor, n models.NewBranch) (models.Branch, error) {
	return models.Branch{ID: 5, Name: n.Name}, nil
}

func (f *fakeBranches) ListBranches(context.Context, int64, models.Page) ([]models.Branch, error) {
	return nil, nil
}

func (f *fakeBranches) DeleteBranch(_ context.Context, _ int64, _ models.Actor, name string) error {
	if f.deleteBranch != nil {
		return f.deleteBranch(name)
	}
	return nil
}

// fakeChannels is a Channels. A function that is not set stands for an empty, valid result.
type fakeChannels struct {
	createChannel func(models.NewChannel) (models.Channel, error)
	updateChannel func(name string, patch models.ChannelPatch) (models.Channel, error)
}

func (f *fakeChannels) CreateChannel(_ context.Context, _ int64, _ models.Actor, n models.NewChannel) (models.Channel, error) {
	if f.createChannel != nil {
		return f.createChannel(n)
	}
	return models.Channel{}, nil
}

func (f *fakeChannels) Channel(context.Context, int64, string) (models.Channel, error) {
	return models.Channel{}, nil
}

func (f *fakeChannels) ListChannels(context.Context, int64, models.Page) ([]models.Channel, error) {
	return nil, nil
}

func (f *fakeChannels) UpdateChannel(
	_ context.Context, _ int64, _ models.Actor, name string, patch models.ChannelPatch,
) (models.Channel, error) {
	if f.updateChannel != nil {
		return f.updateChannel(name, patch)
	}
	return models.Channel{Name: name}, nil
}

func (f *fakeChannels) DeleteChannel(context.Context, int64, models.Actor, string) error { return nil }

// fakeUserOverrides is an UserOverrides. A function that is not set stands for an empty, valid result.
type fakeUserOverrides struct {
	createOverride func(models.NewUserOverride) (models.UserOverride, error)
}

func (f *fakeUserOverrides) CreateUserOverride(
	_ context.Context, _ int64, _ models.Actor, n models.NewUserOverride,
) (models.UserOverride, error) {
	if f.createOverride != nil {
		return f.createOverride(n)
	}
	return models.UserOverride{}, nil
}

func (f *fakeUserOverrides) ListUserOverrides(context.Context, int64, models.Page) ([]models.UserOverride, error) {
	return nil, nil
}

func (f *fakeUserOverrides) UserOverride(context.Context, int64, int64) (models.UserOverride, error) {
	return models.UserOverride{}, nil
}

func (f *fakeUserOverrides) DeleteUserOverride(context.Context, int64, models.Actor, int64) error {
	return nil
}

// fakeFiles is a Files and a FileParts of a project without files.
type fakeFiles struct{}

func (*fakeFiles) FindFiles(context.Context, int64, []string) ([]models.StoredFile, error) {
	return nil, nil
}

func (*fakeFiles) FileProgress(context.Context, int64, string) (p models.FileProgress, err error) {
	return p, models.Errorf(models.CodeNotFound, "there is no such file")
}

func (*fakeFiles) PartialFile(context.Context, int64, string, int64, int64) (p models.PartialFile, err error) {
	return p, models.Errorf(models.CodeNotFound, "there is no such file")
}

func (*fakeFiles) BeginFile(_ context.Context, projectID int64, sha256 string, sizeBytes int64) (models.PartialFile, error) {
	return models.PartialFile{ID: 1, ProjectID: projectID, SHA256: sha256, SizeBytes: sizeBytes}, nil
}

func (*fakeFiles) AddPart(_ context.Context, p *models.PartialFile, part models.FilePart) error {
	p.Parts, p.ReceivedBytes = append(p.Parts, part), p.ReceivedBytes+part.SizeBytes
	return nil
}

func (*fakeFiles) AddFile(context.Context, int64, models.NewFile) ([]int64, error) { return nil, nil }
func (*fakeFiles) EndFile(context.Context, int64, int64) error                     { return nil }

func (*fakeFiles) OpenParts(context.Context, models.PartialFile) io.ReadCloser {
	return io.NopCloser(strings.NewReader(""))
}
func (*fakeFiles) RemovePart(context.Context, int64, int64, models.FilePart) error { return nil }
func (*fakeFiles) RemoveParts(context.Context, int64, int64) error                 { return nil }

func (*fakeFiles) Open(context.Context, int64, string) (*assets.Reader, error) {
	return nil, models.Errorf(models.CodeNotFound, "there is no such file")
}
