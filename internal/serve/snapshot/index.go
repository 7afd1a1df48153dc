package snapshot

import (
	"context"
	"maps"
	"sync/atomic"

	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// index is immutable. It is replaced when projects are created or deleted or change their keys. Otherwise only the
// snapshot in a project's slot changes.
type index struct {
	byID  map[int64]*slot
	byKey map[string]*slot // slug and UUID
}

// slot holds the snapshot of a project.
type slot struct {
	slug, uuid string
	// served has no snapshot as long as the project has never been read successfully.
	served atomic.Pointer[delivery.Snapshot]
}

func newSlot(p models.Project) *slot { return &slot{slug: p.Slug, uuid: p.UUID.String()} }

func (s *slot) isOf(p models.Project) bool { return s.slug == p.Slug && s.uuid == p.UUID.String() }

func (s *slot) snapshot() (*delivery.Snapshot, error) {
	if served := s.served.Load(); served != nil {
		return served, nil
	}
	return nil, models.Errorf(models.CodeUnavailable, "the project's records in Postgres cannot be read, so the project is not served; "+
		"see the server's log for the reason; the server retries every minute")
}

func (i *index) clone() *index { return &index{byID: maps.Clone(i.byID), byKey: maps.Clone(i.byKey)} }

func (i *index) remove(id int64) {
	if at := i.byID[id]; at != nil {
		delete(i.byKey, at.slug)
		delete(i.byKey, at.uuid)
		delete(i.byID, id)
	}
}

func (i *index) add(id int64, at *slot) {
	i.remove(id)
	i.byID[id], i.byKey[at.slug], i.byKey[at.uuid] = at, at, at
}

// Project returns the snapshot of the project with the given slug or UUID. It returns not_found if there is no such
// project, and unavailable if the project cannot be read and so has no snapshot.
func (r *Registry) Project(slugOrUUID string) (*delivery.Snapshot, error) {
	if at, ok := r.index.Load().byKey[slugOrUUID]; ok {
		return at.snapshot()
	}
	return nil, models.Errorf(models.CodeNotFound, "project %.100q does not exist", slugOrUUID)
}

// ProjectByID returns the same as Project for the project with the ID.
func (r *Registry) ProjectByID(id int64) (*delivery.Snapshot, error) {
	if at, ok := r.index.Load().byID[id]; ok {
		return at.snapshot()
	}
	return nil, models.Errorf(models.CodeNotFound, "this project does not exist")
}

// put makes the registry serve the snapshots. A project whose snapshot is nil has been deleted.
func (r *Registry) put(made map[int64]*delivery.Snapshot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var next *index
	for id, s := range made {
		at := r.index.Load().byID[id]
		if at != nil && s != nil && at.isOf(s.Project()) {
			at.served.Store(s)
			continue
		}
		if next == nil {
			next = r.index.Load().clone()
		}
		if s == nil {
			next.remove(id)
			continue
		}
		at = newSlot(s.Project())
		at.served.Store(s)
		next.add(id, at)
	}
	if next != nil {
		r.index.Store(next)
	}
	for id := range made {
		if watched, ok := r.watched[id]; ok {
			close(watched)
			delete(r.watched, id)
		}
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

// putUnread adds a project that cannot be read. The project has no snapshot.
func (r *Registry) putUnread(ctx context.Context, id int64) {
	p, err := r.source.ProjectKeys(ctx, id)
	if err != nil {
		return // the next attempt asks again
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if at := r.index.Load().byID[id]; at != nil && at.isOf(p) {
		return
	}
	next := r.index.Load().clone()
	next.add(id, newSlot(p))
	r.index.Store(next)
}
