package importer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/models"
)

// groupSpace is the namespace of the group IDs of imported releases.
var groupSpace = uuid.MustParse("0b4f1f4e-6a0c-5f0e-9a53-5d1f4b0b7a10")

// readProject reads the channels of the project, its imported builds, and the branches with other releases.
func readProject(ctx context.Context, api *client.Waft, source string) (project, error) {
	p := project{builds: map[string]importedBuild{}, own: map[string]bool{}, used: map[string]bool{}}
	imported := map[int64]string{} // the IDs of the source's releases by the ID of the build
	err := pages(func(before *int64) (int64, int, error) {
		res, err := api.ListBuildsWithResponse(ctx, &client.ListBuildsParams{Limit: new(command.ListLimit), Before: before})
		if err != nil || res.JSON200 == nil {
			return 0, 0, errors.Join(err, missing(res != nil))
		}
		last := int64(0)
		for _, b := range *res.JSON200 {
			last = b.ID
			if id := markedID(source, b.Message); id != "" {
				p.builds[id] = importedBuild{b.ID, p.builds[id].branches}
				imported[b.ID] = id
				for _, r := range b.Releases {
					p.published(id, r.BranchName)
				}
			}
		}
		return last, len(*res.JSON200), nil
	})
	if err != nil {
		return p, err
	}
	err = pages(func(before *int64) (int64, int, error) {
		// A disabled release is content, too: a person can enable it again.
		res, err := api.ListUpdatesWithResponse(ctx, &client.ListUpdatesParams{Limit: new(command.ListLimit), Before: before})
		if err != nil || res.JSON200 == nil {
			return 0, 0, errors.Join(err, missing(res != nil))
		}
		last := int64(0)
		for _, u := range *res.JSON200 {
			last = u.ID
			p.used[u.BranchName] = true
			if u.BuildID == nil || imported[*u.BuildID] == "" {
				p.own[u.BranchName] = true
			} else {
				p.published(imported[*u.BuildID], u.BranchName)
			}
		}
		return last, len(*res.JSON200), nil
	})
	if err != nil {
		return p, err
	}
	return p, pages(func(before *int64) (int64, int, error) {
		res, err := api.ListChannelsWithResponse(ctx, &client.ListChannelsParams{Limit: new(command.ListLimit), Before: before})
		if err != nil || res.JSON200 == nil {
			return 0, 0, errors.Join(err, missing(res != nil))
		}
		p.channels = append(p.channels, *res.JSON200...)
		last := int64(0)
		if n := len(*res.JSON200); n > 0 {
			last = (*res.JSON200)[n-1].ID
		}
		return last, len(*res.JSON200), nil
	})
}

// published notes that the build of a source's release is published to a branch.
func (p project) published(id, branch string) {
	b := p.builds[id]
	if !slices.Contains(b.branches, branch) {
		b.branches = append(b.branches, branch)
		p.builds[id] = b
	}
}

func missing(responded bool) error {
	if responded {
		return command.ErrNoRecord
	}
	return nil
}

// pages calls next with the last ID of the previous page until a page is not full.
func pages(next func(before *int64) (last int64, n int, err error)) error {
	var before *int64
	for {
		last, n, err := next(before)
		if err != nil || int64(n) < command.ListLimit {
			return err
		}
		before = &last
	}
}

// importing is one run of an import.
type importing struct {
	api    *client.Waft
	source source
	// told is called with a line about each step.
	told func(format string, args ...any)
}

// apply executes a plan. Each step can be repeated, so that a later run continues an interrupted one.
func (i importing) apply(ctx context.Context, p *plan) error {
	for _, c := range p.channels {
		if _, err := i.api.CreateChannelWithResponse(ctx, &client.CreateChannelParams{}, client.CreateChannelBody{
			Name: c.name, BranchName: &c.branch,
		}); err != nil {
			return fmt.Errorf("creating channel %s: %w", c.name, err)
		}
		i.told("created channel %s, which leads to branch %s", c.name, c.branch)
	}
	for _, c := range p.moved {
		if err := i.move(ctx, c); err != nil {
			return fmt.Errorf("channel %s: %w", c.name, err)
		}
		i.told("channel %s leads to branch %s", c.name, c.branch)
	}
	for n := range p.releases {
		r := &p.releases[n]
		if r.state == stateImported {
			continue
		}
		i.told("importing %d of %d: %s %s on branch %s (%s)", n+1, len(p.releases), r.platform, r.runtimeVersion, r.branch, r.id)
		if err := i.importRelease(ctx, r); err != nil {
			return fmt.Errorf("release %s: %w", r.id, err)
		}
	}
	for _, c := range p.rollouts {
		if err := i.startRollout(ctx, c); err != nil {
			return fmt.Errorf("the rollout of branch %s on channel %s: %w", c.rolloutBranch, c.name, err)
		}
		i.told("channel %s serves branch %s to %v%% of devices", c.name, c.rolloutBranch, c.rolloutPercentage)
	}
	return nil
}

func (i importing) importRelease(ctx context.Context, r *plannedRelease) error {
	if r.state == stateNew {
		id, err := i.upload(ctx, r.release)
		if err != nil {
			return err
		}
		r.buildID, r.state = id, stateUploaded
	}
	body := client.PublishBuildBody{Channel: r.channel, ReleaseMessage: command.Optional(shorten(r.message)), RolloutPercentage: &r.percentage}
	if r.critical {
		body.IsCritical = &r.critical
	}
	if r.group != "" {
		body.GroupID = new(uuid.NewSHA1(groupSpace, []byte(i.source.name()+" "+r.group+" "+r.branch+" "+r.runtimeVersion)))
	}
	if _, err := i.api.PublishBuildWithResponse(ctx, r.buildID, &client.PublishBuildParams{}, body); err != nil {
		return err
	}
	r.state = stateImported
	return nil
}

func (i importing) upload(ctx context.Context, r release) (int64, error) {
	dir, err := os.MkdirTemp("", "waft-import-*")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system clears its folder of temporary files
	if err := i.source.fetch(ctx, r, dir); err != nil {
		return 0, fromSource(i.source, err)
	}
	export, err := client.OpenExport(dir, r.platform)
	if err != nil {
		return 0, err
	}
	if err := checkAssetNames(dir, export.Files); err != nil {
		return 0, err
	}
	build, err := i.api.UploadExport(ctx, export, client.Upload{
		RuntimeVersion: r.runtimeVersion, Message: mark(i.source.name(), r), GitCommitHash: r.commit,
	})
	if err != nil {
		return 0, err
	}
	return build.ID, nil
}

// move makes an existing channel lead to another branch.
func (i importing) move(ctx context.Context, c channel) error {
	_, err := i.api.CreateBranchWithResponse(ctx, &client.CreateBranchParams{}, client.CreateBranchBody{Name: c.branch})
	if err != nil && client.CodeOf(err) != models.CodeAlreadyExists {
		return err
	}
	_, err = i.api.PatchChannelWithResponse(ctx, c.name, &client.PatchChannelParams{}, client.PatchChannelBody{BranchName: &c.branch})
	return err
}

func (i importing) startRollout(ctx context.Context, c channel) error {
	_, err := i.api.PatchChannelWithResponse(ctx, c.name, &client.PatchChannelParams{}, client.PatchChannelBody{
		RolloutBranchName: &c.rolloutBranch, RolloutPercentage: &c.rolloutPercentage,
	})
	return err
}
