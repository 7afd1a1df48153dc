package delivery

import (
	"maps"
	"slices"

	"github.com/waft-ota/waft/models"
)

// copy is the state as it is read from Postgres: later changes of the project are not
// in it.
func (tp *testProject) copy() models.ProjectSnapshot {
	state := tp.state
	state.Releases = make([]*models.Release, len(tp.state.Releases))
	for i, r := range tp.state.Releases {
		own := *r
		state.Releases[i] = &own
	}
	state.UserOverrides = maps.Clone(tp.state.UserOverrides)
	state.Blobs = storedBlobs(tp.state.Builds)
	return state
}

// storedBlobs are the files of builds. The first build that has a file says its
// content type, a launch asset before any other.
func storedBlobs(builds map[int64]*models.Build) models.Blobs {
	found, known := []models.Blob{}, map[string]bool{}
	for _, launch := range []bool{true, false} {
		for _, id := range slices.Sorted(maps.Keys(builds)) {
			for _, a := range builds[id].Assets {
				if a.IsLaunchAsset == launch && !known[a.MD5] {
					known[a.MD5] = true
					found = append(found, models.Blob{MD5: a.MD5, SHA256: a.SHA256, SizeBytes: a.SizeBytes, ContentType: a.ContentType})
				}
			}
		}
	}
	blobs, err := models.Blobs{}.With(found, nil)
	if err != nil {
		panic(err)
	}
	return blobs
}
