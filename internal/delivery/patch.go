package delivery

import "github.com/waft-ota/waft/models"

// patchIndex finds patches by the MD5 of the launch asset and then by what the
// device runs, a UUID in lower case.
type patchIndex map[string]map[string]models.OfferedPatch

func indexPatches(patches []models.OfferedPatch) patchIndex {
	index := patchIndex{}
	for _, p := range patches {
		byBase := index[p.TargetMD5]
		if byBase == nil {
			byBase = map[string]models.OfferedPatch{}
			index[p.TargetMD5] = byBase
		}
		byBase[p.BaseUpdate.String()] = p
	}
	return index
}

// Patch is the patch to the launch asset with the given MD5 for a device that runs
// the update with the given UUID (lower case): a release, under its own UUID or an
// alias, or the update inside a binary.
func (s *Snapshot) Patch(targetMD5, updateUUID string) (models.OfferedPatch, bool) {
	byBase, ok := s.patches[targetMD5]
	if !ok {
		return models.OfferedPatch{}, false
	}
	if canonical, known := s.CanonicalUpdate(updateUUID); known {
		updateUUID = canonical
	}
	p, ok := byBase[updateUUID]
	return p, ok
}

// HasPatches reports whether some devices get the file as a patch, so that what a
// request for it is answered with depends on what the device runs.
func (s *Snapshot) HasPatches(targetMD5 string) bool { return len(s.patches[targetMD5]) > 0 }
