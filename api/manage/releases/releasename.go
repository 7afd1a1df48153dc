package releases

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// ReleaseName identifies a release to a person, in a record that refers to the release.
type ReleaseName struct {
	UpdateID       int64              `json:"updateId" doc:"ID of the release."`
	UpdateUUID     uuid.UUID          `json:"updateUuid" format:"uuid" doc:"Update ID of the release."`
	GroupID        uuid.UUID          `json:"groupId" format:"uuid" doc:"ID that the platforms of one publish share."`
	Platform       models.Platform    `json:"platform" enum:"ios,android"`
	RuntimeVersion string             `json:"runtimeVersion"`
	ReleaseMessage string             `json:"releaseMessage"`
	Kind           models.ReleaseKind `json:"kind" enum:"update,rollback_to_embedded"`
}

// NameOf returns the name of a release.
func NameOf(r *models.Release) ReleaseName {
	return ReleaseName{r.ID, r.UpdateUUID, r.GroupID, r.Platform, r.RuntimeVersion, r.ReleaseMessage, r.Kind}
}

// NameOrNull returns the name of a release, or null for nil.
func NameOrNull(r *models.Release) rest.OrNull[ReleaseName] {
	if r == nil {
		return rest.OrNull[ReleaseName]{}
	}
	return rest.Present(NameOf(r))
}

// ExampleName is the name of a release in examples.
var ExampleName = ReleaseName{
	UpdateID: 17, UpdateUUID: uuid.MustParse(rest.ExampleUUID), GroupID: uuid.MustParse("0b9d3c1e-58f5-4f0f-8c11-2f4f4d0d7f55"),
	Platform: models.IOS, RuntimeVersion: "1.4.0", ReleaseMessage: "Faster checkout", Kind: models.KindUpdate,
}

// Reported are the releases that devices reported, by update ID in lower case.
type Reported map[string]*models.Release

// Name returns the name of the release with the update ID, or null for an update that is not a release of the project.
func (r Reported) Name(updateUUID string) rest.OrNull[ReleaseName] {
	return NameOrNull(r[strings.ToLower(updateUUID)])
}

// ID returns the ID of the release with the update ID, or nil.
func (r Reported) ID(updateUUID string) *int64 {
	if release := r[strings.ToLower(updateUUID)]; release != nil {
		return &release.ID
	}
	return nil
}

// ReportedOf returns the releases with the update IDs. It reads them from the project's snapshot, and releases that the snapshot does
// not contain in one query. While Postgres is unavailable, releases outside the snapshot are missing.
func ReportedOf(ctx context.Context, names UpdateNames, snapshots Snapshots, updateUUIDs ...string) (Reported, error) {
	found, missing := Reported{}, []string{}
	s, _ := snapshots.ProjectByID(rest.ProjectOf(ctx)) // without a snapshot, all are read by the query
	for _, id := range updateUUIDs {
		id = strings.ToLower(id)
		if s != nil {
			if release := s.Release(id); release != nil {
				found[id] = release
				continue
			}
		}
		missing = append(missing, id)
	}
	queried, err := ReleasesOf(ctx, names, missing, func(id string) string { return id })
	if models.CodeOf(err) == models.CodeUnavailable {
		return found, nil
	}
	for id, release := range queried {
		found[id] = &release
	}
	return found, err
}
