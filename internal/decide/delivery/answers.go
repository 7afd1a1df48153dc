package delivery

import "github.com/waft-ota/waft/models"

// Answers says what devices are answered in a state of a project. Nothing is rendered for it, so the state needs only channels,
// the branches that they point to, and these branches' releases and aliases.
type Answers struct{ s *Snapshot }

// NewAnswers fails as NewSnapshot does.
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

// Answer is what a device is told to do.
type Answer struct {
	// Outcome is OutcomeUpdate, OutcomeRollbackToEmbedded, OutcomeStoreUpdateRequired, or OutcomeNoUpdate for all that leaves
	// the device with what it runs.
	Outcome Outcome
	// ReleaseID is that of an update, whatever alias it is served as, else 0.
	ReleaseID int64
	// MinRuntimeVersion is that of a store update, else "".
	MinRuntimeVersion string
}

// To is the answer to a device. Devices of unknown channels get no update.
func (a Answers) To(r Request) Answer {
	switch d := a.s.Resolve(r); d.Outcome {
	case OutcomeUpdate:
		return Answer{Outcome: d.Outcome, ReleaseID: d.ReleaseID}
	case OutcomeStoreUpdateRequired:
		return Answer{Outcome: d.Outcome, MinRuntimeVersion: d.channel.minimum.text}
	case OutcomeRollbackToEmbedded:
		return Answer{Outcome: d.Outcome}
	default:
		return Answer{Outcome: OutcomeNoUpdate}
	}
}
