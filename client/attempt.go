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
	// Group is the group of the releases, if there are several.
	Group uuid.UUID `json:"group"`
	// Begun is the time of the server at which the first run began to send.
	Begun time.Time `json:"begun"`
	// Resumed says that an earlier run may have sent something.
	Resumed bool `json:"-"`
	// Save stores the attempt. It is called before anything is sent.
	Save func(*Attempt) error `json:"-"`
}

// NewAttempt returns the attempt of a first run.
func NewAttempt() *Attempt {
	return &Attempt{Key: uuid.NewString(), Group: uuid.New()}
}

// begin stores the attempt before it sends anything. res is a response of the server.
func (a *Attempt) begin(res *http.Response) error {
	if a == nil {
		return nil
	}
	if a.Begun.IsZero() {
		a.Begun = time.Now()
		if at, err := http.ParseTime(res.Header.Get("Date")); err == nil {
			a.Begun = at
		}
	}
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

// recentBuilds is how many of a platform's newest builds are compared with an export.
const recentBuilds = 20

// findBuild returns the build that an earlier run of the attempt made of the export, or nil. An Idempotency-Key alone does not find it
// if the run had other credentials, such as the next key of a CI job.
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
		if !b.CreatedAt.Before(a.Begun) && b.RuntimeVersion == u.RuntimeVersion && b.GitCommitHash == u.GitCommitHash &&
			b.Message == u.Message && e.sameFiles(b) {
			return &b, nil
		}
	}
	return nil, nil
}

// sameFiles reports whether the build has the content of the export, source map excluded.
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
	return maps.Equal(want, got)
}

// findRelease returns the release that an earlier run of the attempt made of the build, or nil.
func (w *Waft) findRelease(ctx context.Context, b *Build, channel string, a *Attempt) (*Update, error) {
	for _, r := range b.Releases {
		if r.Channel == nil || *r.Channel != channel || r.CreatedAt.Before(a.Begun) {
			continue
		}
		res, err := w.GetUpdateWithResponse(ctx, r.UpdateID, &GetUpdateParams{})
		if err != nil {
			return nil, err
		}
		return expect(res.JSON200, res.HTTPResponse)
	}
	return nil, nil
}
