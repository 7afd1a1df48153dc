package delivery

import "github.com/waft-ota/waft/models"

// Answers resolves the releases that devices get in a given state of a project. It does not render responses, so the
// state only needs channels, the branches that they point to, and the releases and aliases of these branches.
type Answers struct{ s *Snapshot }

// NewAnswers indexes the state. It fails for the same states as NewSnapshot.
func NewAnswers(p models.ProjectSnapshot) (a Answers, err error) {
	s := &Snapshot{project: p.Project, releases: make(map[string]*release, len(p.Releases)), runtimeVersions: map[string]bool{}}
	if s.branches, err = indexBranches(p.Branches, nil); err != nil {
		return a, err
	}
	if s.channels, err = indexChannels(p, s.branches, newRenderer(models.ProjectSnapshot{Project: p.Project}, "", nil)); err != nil {
		return a, err
	}
	s.lists = groupReleases(s.indexReleases(p), s.branches)
	for _, l := range s.lists {
		l.choose()
	}
	return Answers{s}, nil
}

// Answer is the result for one device.
type Answer struct {
	// Outcome is OutcomeUpdate, OutcomeRollbackToEmbedded or OutcomeStoreUpdateRequired. It is OutcomeNoUpdate for
	// every other result, because the device then keeps what it runs.
	Outcome Outcome
	// ReleaseID is the release of OutcomeUpdate, even if it is served under an alias; otherwise 0.
	ReleaseID int64
	// IsCritical says that the device applies the release of OutcomeUpdate immediately.
	IsCritical bool
	// MinRuntimeVersion is set for OutcomeStoreUpdateRequired, otherwise "".
	MinRuntimeVersion string
}

// To returns the result for a device. A device of an unknown channel does not get an update.
func (a Answers) To(r Request) Answer {
	switch d := a.s.Resolve(r); d.Outcome {
	case OutcomeUpdate:
		return Answer{Outcome: d.Outcome, ReleaseID: d.ReleaseID, IsCritical: d.release.IsCritical}
	case OutcomeStoreUpdateRequired:
		return Answer{Outcome: d.Outcome, MinRuntimeVersion: d.channel.minimum.text}
	case OutcomeRollbackToEmbedded:
		return Answer{Outcome: d.Outcome}
	default:
		return Answer{Outcome: OutcomeNoUpdate}
	}
}
