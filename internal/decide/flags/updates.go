package flags

import (
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// maxUpdates is the maximum number of releases that a client gets, not counting releases with linked flags.
const maxUpdates = 200

// update is a release on the wire. A client uses it to match rules about the update that it runs.
type update struct {
	UpdateUUID     uuid.UUID `json:"updateUuid"`
	Branch         string    `json:"branch"`
	RuntimeVersion string    `json:"runtimeVersion"`
	CreatedAt      string    `json:"createdAt"`
	// AliasOf is the release's own update ID if UpdateUUID is an alias.
	AliasOf *uuid.UUID `json:"aliasOf,omitempty"`
}

// updates returns the newest enabled releases and all releases with linked flags, newest first. A release appears
// once for every update ID.
func updates(p models.ProjectSnapshot) []update {
	branches := make(map[int64]string, len(p.Branches))
	for _, b := range p.Branches {
		branches[b.ID] = b.Name
	}
	aliases := map[int64][]uuid.UUID{}
	for _, a := range p.Aliases {
		aliases[a.ReleaseID] = append(aliases[a.ReleaseID], a.UpdateUUID)
	}
	told, newest := []update{}, 0
	for _, r := range p.Releases {
		if !r.IsEnabled || r.DeletedAt != nil || newest >= maxUpdates && len(r.LinkedFlags) == 0 {
			continue
		}
		newest++
		branch, ok := branches[r.BranchID]
		if !ok {
			branch = r.BranchName
		}
		u := update{r.UpdateUUID, branch, r.RuntimeVersion, r.CreatedAt.UTC().Format("2006-01-02T15:04:05.000Z07:00"), nil}
		told = append(told, u)
		for _, alias := range aliases[r.ID] {
			told = append(told, update{alias, u.Branch, u.RuntimeVersion, u.CreatedAt, &r.UpdateUUID})
		}
	}
	return told
}
