package snapshot

import (
	"context"
	"maps"
	"sync/atomic"

	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// index is immutable. When projects come or go, or change their keys, another one replaces
// it; otherwise only the snapshot in a project's slot changes.
type index struct {
	byID  map[int64]*slot
	byKey map[string]*slot // slug and UUID
}

// slot is the place of a project.
type slot struct {
	slug, uuid string
	// served has no snapshot while there is none because the project cannot be read.
	served atomic.Pointer[delivery.Snapshot]
}

func newSlot(p models.Project) *slot { return &slot{slug: p.Slug, uuid: p.UUID.String()} }

func (s *slot) isOf(p models.Project) bool { return s.slug == p.Slug && s.uuid == p.UUID.String() }

func (s *slot) snapshot() (*delivery.Snapshot, error) {
	if served := s.served.Load(); served != nil {
		return served, nil
	}
	return nil, models.Errorf(models.CodeUnavailable, "the project's records in Postgres cannot be read, so it is not served; "+
		"the server's log says why, and the server tries again every minute")
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

// Project returns the snapshot of the project with the given slug or UUID. The error is not_found, or unavailable while
// there is no snapshot because the project cannot be read.
func (r *Registry) Project(slugOrUUID string) (*delivery.Snapshot, error) {
	if at, ok := r.index.Load().byKey[slugOrUUID]; ok {
		return at.snapshot()
	}
	return nil, models.Errorf(models.CodeNotFound, "there is no project %.100q", slugOrUUID)
}

// ProjectByID is Project for the project with the given id.
func (r *Registry) ProjectByID(id int64) (*delivery.Snapshot, error) {
	if at, ok := r.index.Load().byID[id]; ok {
		return at.snapshot()
	}
	return nil, models.Errorf(models.CodeNotFound, "there is no such project")
}

// put serves the snapshots from now on. A project whose snapshot is nil is gone.
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

// putUnread makes it known that there is a project, which cannot be read and has no snapshot.
func (r *Registry) putUnread(ctx context.Context, id int64) {
	p, err := r.source.ProjectKeys(ctx, id)
	if err != nil {
		return // the next try asks again
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
