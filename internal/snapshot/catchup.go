package snapshot

import (
	"context"
)

// CatchUp returns once devices are served what the source holds at the time of the
// call: of the project with the given id, or of every project with 0. It waits for
// Run, and returns the error of ctx when that ends first.
func (r *Registry) CatchUp(ctx context.Context, projectID int64) error {
	versions, gone, err := r.newest(ctx, projectID)
	if err != nil {
		return err
	}
	for {
		r.mu.Lock()
		changed := r.changed
		r.mu.Unlock()
		if r.serves(versions, gone) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// newest asks the source for the versions to wait for, and for the projects that are
// served but exist no more.
func (r *Registry) newest(ctx context.Context, projectID int64) (versions map[int64]int64, gone []int64, err error) {
	var ids []int64
	served := r.index.Load().byID
	if projectID != 0 {
		ids = []int64{projectID}
		served = map[int64]*slot{projectID: nil}
	}
	versions, err = r.source.SnapshotVersions(ctx, ids...)
	for id := range served {
		if _, exists := versions[id]; !exists {
			gone = append(gone, id)
		}
	}
	return versions, gone, err
}

func (r *Registry) serves(versions map[int64]int64, gone []int64) bool {
	for id, version := range versions {
		if s, ok := r.ProjectByID(id); !ok || s.Version() < version {
			return false
		}
	}
	for _, id := range gone {
		if _, ok := r.ProjectByID(id); ok {
			return false
		}
	}
	return true
}
