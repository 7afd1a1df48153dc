package delivery

import (
	"maps"
	"slices"

	"github.com/waft-ota/waft/models"
)

// copy returns the state as it would be read from Postgres. Later changes of the project do not affect it.
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

// storedBlobs returns the files of builds. The first build with a file sets its content type; launch assets come
// before other files.
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
