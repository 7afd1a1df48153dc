package delivery

// A device may run a release that was published between a backup and the restore of that backup. The restored project does
// not know the release, and everything that it does know from before the restore may be older. So such a device keeps what
// it runs, until a release or rollback from after the restore reaches it: the release clock makes that newer than anything
// that was published before.

// UnknownEmbedded stands for the ID of a device's embedded update, which only manifest requests contain.
const UnknownEmbedded = "embedded"

// runsLost reports whether the device runs an update that the project lost in a restore. Without the ID of its embedded
// update, the device may be running that one.
func (s *Snapshot) runsLost(r *Request) bool {
	return s.project.RestoredAt != nil && r.CurrentUpdateUUID != "" && r.EmbeddedUpdateUUID != "" &&
		r.CurrentUpdateUUID != r.EmbeddedUpdateUUID && s.releases[r.CurrentUpdateUUID] == nil
}

// keepLost makes a device keep the lost update that it runs, unless the decision serves something from after the restore.
// The response then has no filters, so the client keeps its present filters, which let the update run: other filters may exclude it,
// for example after the channel had been pointed to another branch.
func (s *Snapshot) keepLost(d *Decision, r *Request, t *trace) {
	if d.Outcome == OutcomeUnknownChannel || d.release != nil && d.release.served.at.After(*s.project.RestoredAt) {
		return
	}
	d.filters = nil
	if d.Outcome == OutcomeUpdate || d.Outcome == OutcomeRollbackToEmbedded {
		d.Outcome = OutcomeNoUpdate
	}
	if t != nil {
		t.add(StepRestore, "kept", "the project was restored from a backup and does not know update %s, which the device runs and which may "+
			"be newer than the backup; the device keeps it until the next release or rollback", r.CurrentUpdateUUID)
	}
}
