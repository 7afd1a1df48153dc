package delivery

import "github.com/waft-ota/waft/models"

// AssetMeta is the record of a file that devices may download.
type AssetMeta struct {
	models.Blob
	ProjectID int64
}

// Asset returns the record of the file with the given MD5 (lower-case hex). ok is false if the file does not belong
// to any build.
func (s *Snapshot) Asset(md5 string) (meta AssetMeta, ok bool) {
	b, ok := s.assets.Get(md5)
	return AssetMeta{Blob: b, ProjectID: s.project.ID}, ok
}

// patchIndex holds binary patches by the MD5 of the launch asset that they produce, then by the update that the
// device runs (lower-case UUID).
type patchIndex map[string]map[string]models.OfferedPatch

func indexPatches(patches []models.OfferedPatch) patchIndex {
	index := patchIndex{}
	for _, p := range patches {
		if index[p.TargetMD5] == nil {
			index[p.TargetMD5] = map[string]models.OfferedPatch{}
		}
		index[p.TargetMD5][p.BaseUpdate.String()] = p
	}
	return index
}

// Patch returns the binary patch that produces the launch asset with the given MD5 for a device that runs the given
// update (lower-case UUID). The update is a release, an alias of a release, or an embedded update.
func (s *Snapshot) Patch(targetMD5, updateUUID string) (models.OfferedPatch, bool) {
	if canonical, known := s.CanonicalUpdate(updateUUID); known {
		updateUUID = canonical
	}
	p, ok := s.patches[targetMD5][updateUUID]
	return p, ok
}

// HasPatches reports whether there are binary patches to the file. If so, the response to a request for the file
// depends on the update that the device runs.
func (s *Snapshot) HasPatches(targetMD5 string) bool { return len(s.patches[targetMD5]) > 0 }
