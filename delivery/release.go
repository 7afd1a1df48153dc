package delivery

import (
	"strings"
	"time"

	"github.com/waft-ota/waft/models"
)

// release is a release as devices see it.
type release struct {
	models.Release
	// uuid is the update UUID in lower case.
	uuid string
	// branch is nil when it is gone; branchName is then what the release remembers.
	branch     *branch
	branchName string
	share      share

	// body is what a device is answered with, the zero value when no device can be
	// answered with this release.
	body body
	// filters go with this release as the answer.
	filters []string
	// deny is the filter that excludes this release.
	deny string
}

// body is a rendered answer. json is empty when it has no single-part form.
type body struct{ multipart, json []byte }

func newRelease(r *models.Release, branches map[int64]*branch) *release {
	rel := &release{
		Release:    *r,
		uuid:       strings.ToLower(r.UpdateUUID.String()),
		branch:     branches[r.BranchID],
		branchName: r.BranchName,
		share:      share{salt: r.ShareSalt, percentage: r.RolloutPercentage},
		deny:       denyFilter(r.ID),
	}
	if rel.branch != nil {
		rel.branchName = rel.branch.name
	}
	return rel
}

// on reports whether the release is there to be served on the branch, enabled or
// not.
func (r *release) on(b *branch) bool { return r.branch == b && r.DeletedAt == nil }

// updates reports whether the release is one that a device stores.
func (r *release) updates() bool { return r.Kind == models.KindUpdate }

// commitTime is the time that a client orders by, exactly as it must be written:
// UTC with three decimals. Clients misread any other number of them.
func commitTime(t time.Time) string {
	return t.UTC().Truncate(time.Millisecond).Format("2006-01-02T15:04:05.000Z")
}
