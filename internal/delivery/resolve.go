package delivery

// Resolve decides what the device is served, in the order of the wire contract,
// section 4.
func (s *Snapshot) Resolve(r Request) Decision { return s.resolve(&r, nil) }

// Explain is Resolve with the steps that led to the decision.
func (s *Snapshot) Explain(r Request) Decision {
	var t trace
	d := s.resolve(&r, &t)
	d.Steps = t.steps
	return d
}

// ExplainAt is Explain as if the release with the given id stood at the given
// share, 0–100. ok is false when the project has no such release.
func (s *Snapshot) ExplainAt(r Request, releaseID int64, percentage float64) (d Decision, ok bool) {
	for _, rel := range s.releases {
		if rel.ID == releaseID && rel.DeletedAt == nil {
			t := trace{supposed: rel, percentage: percentage}
			d = s.resolve(&r, &t)
			d.Steps = t.steps
			return d, true
		}
	}
	return Decision{}, false
}

func (s *Snapshot) resolve(r *Request, t *trace) Decision {
	ch, ok := s.channels[r.Channel]
	if !ok {
		if t != nil {
			t.add(StepChannel, "unknown", "the project has no channel %q", r.Channel)
		}
		return Decision{Outcome: OutcomeUnknownChannel}
	}
	if ch.paused {
		if t != nil {
			t.add(StepChannel, "paused", "channel %s is paused", ch.name)
		}
		return s.hold(OutcomeChannelPaused, ch, r)
	}
	if t != nil {
		t.add(StepChannel, "open", "channel %s is not paused", ch.name)
	}
	if !ch.supports(r.RuntimeVersion, t) {
		return s.hold(OutcomeStoreUpdateRequired, ch, r)
	}
	b := s.chooseBranch(ch, r, t)
	d := Decision{Outcome: OutcomeNoUpdate, BranchName: b.name, channel: ch, filters: b.filters}
	st := s.streams[streamKey{b, r.Platform, r.RuntimeVersion}]
	if st == nil {
		if t != nil {
			t.add(StepRelease, "none", "branch %s has no release for %s with runtime version %q",
				b.name, r.Platform, r.RuntimeVersion)
		}
		d.unserved = true
		return d
	}
	rel := st.newest(r.DeviceID, t)
	if rel == nil {
		d.filters = st.filters
	} else {
		d.release, d.filters = rel, rel.filters
		d.ReleaseID, d.UpdateUUID = rel.ID, rel.served.uuid
		d.Outcome = rel.outcomeFor(r, t)
	}
	if d.Outcome == OutcomeUpToDate && rel.updates() && r.CurrentUpdateUUID != rel.served.uuid {
		d.filters = st.withOthers(rel)
	}
	return d
}

// supports reports whether the channel still serves the runtime version.
func (ch *channel) supports(runtimeVersion string, t *trace) bool {
	switch {
	case ch.minimum == nil:
		if t != nil {
			t.add(StepMinimumVersion, "not_set", "channel %s has no minimum runtime version", ch.name)
		}
		return true
	case ch.minimum.below(runtimeVersion):
		if t != nil {
			t.add(StepMinimumVersion, "below", "runtime version %q is below the minimum %q: the app store has to update it",
				runtimeVersion, ch.minimum.text)
		}
		return false
	default:
		if t != nil {
			t.add(StepMinimumVersion, "not_below", "runtime version %q is not below the minimum %q",
				runtimeVersion, ch.minimum.text)
		}
		return true
	}
}

// override is the branch that the user is sent to, nil for a user without an
// override and for a device that names none.
func (s *Snapshot) override(userID string, t *trace) *branch {
	if userID == "" {
		return nil
	}
	b := s.branches[s.overrides[userID]]
	switch {
	case t == nil:
	case b == nil:
		t.add(StepUserOverride, "none", "user %q has no override", userID)
	default:
		t.add(StepUserOverride, "applies", "user %q is sent to branch %s", userID, b.name)
	}
	return b
}

// chooseBranch is the branch that the device draws from.
func (s *Snapshot) chooseBranch(ch *channel, r *Request, t *trace) *branch {
	if b := s.override(r.UserID, t); b != nil {
		if t != nil {
			t.add(StepBranch, "override", "branch %s comes before what channel %s says", b.name, ch.name)
		}
		return b
	}
	switch {
	case ch.rollout == nil:
		if t != nil {
			t.add(StepBranch, "channel", "channel %s points to branch %s", ch.name, ch.branch.name)
		}
		return ch.branch
	case ch.share.holds(r.DeviceID):
		if t != nil {
			t.add(StepBranch, "rollout", "channel %s rolls out branch %s: %s",
				ch.name, ch.rollout.name, ch.share.explain(r.DeviceID))
		}
		return ch.rollout
	default:
		if t != nil {
			t.add(StepBranch, "channel", "channel %s rolls out branch %s: %s; so branch %s",
				ch.name, ch.rollout.name, ch.share.explain(r.DeviceID), ch.branch.name)
		}
		return ch.branch
	}
}

// outcomeFor is what becomes of a device whose branch led to the release.
func (rel *release) outcomeFor(r *Request, t *trace) Outcome {
	outcome, detail := OutcomeUpdate, "the device does not run release %d"
	switch {
	case !rel.updates() && r.CurrentUpdateUUID != "" && r.CurrentUpdateUUID == r.EmbeddedUpdateUUID:
		outcome, detail = OutcomeUpToDate, "release %d rolls back to the embedded update, which the device runs"
	case !rel.updates():
		outcome, detail = OutcomeRollbackToEmbedded, "release %d rolls back to the embedded update"
	case rel.runsAs(r.CurrentUpdateUUID):
		outcome, detail = OutcomeUpToDate, "the device runs release %d"
	case rel.failedAs(r.RecentFailed):
		outcome, detail = OutcomeNoUpdate, "the device reports that release %d failed to start"
	}
	if t != nil {
		if rel.updates() && rel.served.uuid != rel.uuid {
			detail += "; it is served as " + rel.served.uuid + ", for clients that refuse what was committed before a rollback"
		}
		t.add(StepDevice, string(outcome), detail, rel.ID)
	}
	return outcome
}

// hold decides for a device that gets nothing new from the channel for now. It
// stays on the branch whose release it runs, wherever the channel points: under
// another branch's filters it would lose that release and get none for it. Nor
// does it start what it stored earlier and does not run. What was disabled is taken
// from it all the same.
func (s *Snapshot) hold(outcome Outcome, ch *channel, r *Request) Decision {
	running := s.releases[r.CurrentUpdateUUID]
	if running != nil && (running.branch == nil || running.Platform != r.Platform || running.RuntimeVersion != r.RuntimeVersion) {
		running = nil
	}
	b := s.chooseBranch(ch, r, nil)
	if running != nil {
		b = running.branch
	}
	d := Decision{Outcome: outcome, channel: ch, filters: b.filters}
	st := s.streams[streamKey{b, r.Platform, r.RuntimeVersion}]
	switch {
	case st == nil:
	case running == nil:
		d.filters = st.withAll()
	case r.CurrentUpdateUUID != running.served.uuid:
		d.filters = st.withOthers(running)
	default:
		d.filters = st.withNewer(running)
	}
	return d
}
