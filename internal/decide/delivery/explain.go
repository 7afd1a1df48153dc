package delivery

import "fmt"

// Explain resolves like Resolve and returns the steps of the resolution.
func (s *Snapshot) Explain(r Request) Decision { return s.explain(r, trace{}) }

// ExplainAt explains like Explain, with another rollout percentage (0–100) for one release. ok is false if the
// project has no such release.
func (s *Snapshot) ExplainAt(r Request, releaseID int64, percentage float64) (d Decision, ok bool) {
	for _, rel := range s.releases {
		if rel.ID == releaseID && rel.DeletedAt == nil {
			return s.explain(r, trace{override: rel, percentage: percentage}), true
		}
	}
	return Decision{}, false
}

func (s *Snapshot) explain(r Request, t trace) Decision {
	d := s.resolve(&r, &t)
	d.Steps = t.steps
	return d
}

// Names of the steps of a resolution, in order.
const (
	StepChannel        = "channel"
	StepMinimumVersion = "min_runtime_version"
	StepUserOverride   = "user_override"
	StepBranch         = "branch"
	StepRelease        = "release"
	StepDevice         = "device"
	StepRestore        = "restore"
)

// Step is one step of a resolution: its name, its outcome as a snake_case word, and the reason as a sentence.
type Step struct {
	Step    string `json:"step"`
	Outcome string `json:"outcome"`
	Detail  string `json:"detail"`
}

// trace collects the steps of an explained resolution. It is nil for a device's request. Callers check for nil before
// they build a step, so that such a request does not allocate.
type trace struct {
	steps []Step
	// override is a release to resolve with percentage instead of its own rollout percentage, or nil.
	override   *release
	percentage float64
}

// shareOf returns the share of the release in this explanation.
func (t *trace) shareOf(r *release) share {
	if r != t.override {
		return r.share
	}
	return share{salt: r.share.salt, percentage: t.percentage}
}

func (t *trace) add(step, outcome, format string, args ...any) {
	t.steps = append(t.steps, Step{Step: step, Outcome: outcome, Detail: fmt.Sprintf(format, args...)})
}
