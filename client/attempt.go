package client

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// Attempt makes a publish resumable. A publish that was interrupted and runs again with the same attempt makes each build and each
// release once, and does not send bytes that the server has.
type Attempt struct {
	// Key begins the Idempotency-Key of each call.
	Key string `json:"key"`
	// Group is the group of the releases. By it, a later run knows the releases that the attempt has made.
	Group uuid.UUID `json:"group"`
	// Begun is the time of the server at which the first run began to send.
	Begun time.Time `json:"begun"`
	// Resumed says that an earlier run may have sent a part of a file.
	Resumed bool `json:"-"`
	// Save stores the attempt. It is called before the first run sends anything, and after a change.
	Save func(*Attempt) error `json:"-"`
}

// NewAttempt returns the attempt of a first run.
func NewAttempt() *Attempt {
	return &Attempt{Key: uuid.NewString(), Group: uuid.New()}
}

// begin stores the attempt before it sends anything. res is a response of the server.
func (a *Attempt) begin(res *http.Response) error {
	if a == nil || a.continues() {
		return nil
	}
	a.Begun = time.Now()
	if at, err := http.ParseTime(res.Header.Get("Date")); err == nil {
		a.Begun = at
	}
	return a.save()
}

func (a *Attempt) save() error {
	if a.Save == nil {
		return nil
	}
	return a.Save(a)
}

// key returns the Idempotency-Key of a call for a platform, or nil without an attempt.
func (a *Attempt) key(call string, platform models.Platform) *string {
	if a == nil {
		return nil
	}
	return new(a.Key + "/" + call + "/" + string(platform))
}

func (a *Attempt) resumed() bool { return a != nil && a.Resumed }

// continues reports whether an earlier run of the attempt may have made a build or a release.
func (a *Attempt) continues() bool { return a != nil && !a.Begun.IsZero() }

// recentBuilds is how many of a platform's newest builds are compared with an export.
const recentBuilds = 20

// findBuild returns the build that an earlier run of the attempt made of the export, or nil. An Idempotency-Key alone does not find it
// if the run had other credentials, such as the next key of a CI job. A build with releases belongs to another publish, because
// findReleases finds the releases of the attempt.
func (w *Waft) findBuild(ctx context.Context, e preparedExport, u Upload, a *Attempt) (*Build, error) {
	platform := ListBuildsParamsPlatform(e.Platform)
	res, err := w.ListBuildsWithResponse(ctx, &ListBuildsParams{Limit: new(int64(recentBuilds)), Platform: &platform})
	if err != nil {
		return nil, err
	}
	builds, err := expect(res.JSON200, res.HTTPResponse)
	if err != nil {
		return nil, err
	}
	for _, b := range *builds {
		if !b.CreatedAt.Before(a.Begun) && len(b.Releases) == 0 && b.EmbeddedUpdateID == nil && u.describes(b) && e.sameFiles(b) {
			return &b, nil
		}
	}
	return nil, nil
}

// describes reports whether the build has what the upload says about it.
func (u Upload) describes(b Build) bool {
	return b.RuntimeVersion == u.RuntimeVersion && b.Message == u.Message &&
		b.GitCommitHash == u.GitCommitHash && b.GitBranch == u.GitBranch && b.GitAuthor == u.GitAuthor
}

// sameFiles reports whether the build has the content of the export, and a source map if the export has one.
func (e preparedExport) sameFiles(b Build) bool {
	want, got := map[string]bool{}, map[string]bool{}
	for _, f := range e.files {
		if !slices.Contains(e.SourceMaps, f.name) {
			want[f.sha256] = true
		}
	}
	for _, a := range b.Assets {
		got[a.Sha256] = true
	}
	return maps.Equal(want, got) && (len(e.namedMaps()) > 0) == (b.SourceMapBytes > 0)
}

// findReleases returns the releases that earlier runs of the attempt made, by platform. If one of them was disabled since, it returns
// none, and the attempt gets new keys and a new group: then the publish makes all releases again.
func (w *Waft) findReleases(ctx context.Context, a *Attempt) (map[models.Platform]Update, error) {
	res, err := w.ListUpdatesWithResponse(ctx, &ListUpdatesParams{GroupID: &a.Group})
	if err != nil {
		return nil, err
	}
	releases, err := expect(res.JSON200, res.HTTPResponse)
	if err != nil {
		return nil, err
	}
	made := map[models.Platform]Update{}
	for _, r := range *releases {
		switch {
		case r.GroupID != a.Group:
		case !r.IsEnabled:
			next := NewAttempt()
			a.Key, a.Group = next.Key, next.Group
			return nil, a.save()
		default:
			made[models.Platform(r.Platform)] = r
		}
	}
	return made, nil
}
