package retention_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// rounds collects garbage again and again, and tells those who wait for it.
type rounds struct {
	mu           sync.Mutex
	changed      *sync.Cond
	begun, ended int
	stopped      bool
	// blobs were collected altogether; err ended the rounds.
	blobs int64
	err   error
}

// collectAllTheTime runs the collector until the returned function is called,
// which waits for the round at work.
func (w *world) collectAllTheTime() (r *rounds, stop func()) {
	r = &rounds{}
	r.changed = sync.NewCond(&r.mu)
	ctx := context.WithoutCancel(w.t.Context())
	var collecting sync.WaitGroup
	collecting.Go(func() {
		for r.begin() {
			g, err := w.Run(ctx, w.project.ID, alice)
			r.end(g, err)
		}
	})
	return r, func() {
		r.mu.Lock()
		r.stopped = true
		r.mu.Unlock()
		collecting.Wait()
	}
}

func (r *rounds) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun++
	return !r.stopped
}

func (r *rounds) end(g models.Garbage, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = r.begun
	r.blobs += g.Blobs
	r.err = err
	r.stopped = r.stopped || err != nil
	r.changed.Broadcast()
}

// whole returns when a round that began after the call has ended.
func (r *rounds) whole() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for next := r.begun + 1; r.ended < next && !r.stopped; {
		r.changed.Wait()
	}
}

// Uploaders and what each of them does.
const (
	uploaders   = 4
	uploadsEach = 25
)

// uploader lets builds of few contents come and go.
type uploader struct {
	*world
	rounds *rounds
	number int
	// kept is a build that stays for some uploads.
	kept models.Build
}

// TestNoUploadLosesAFile lets builds of few contents come and go while garbage is
// collected all the time. Every build that an upload was told of must be whole.
func TestNoUploadLosesAFile(t *testing.T) {
	t.Parallel()
	w := setup(t)
	collecting, stop := w.collectAllTheTime()
	var all sync.WaitGroup
	errs := make([]error, uploaders)
	uploading := make([]uploader, uploaders)
	for i := range uploaders {
		uploading[i] = uploader{world: w, rounds: collecting, number: i}
		all.Go(func() {
			for n := range uploadsEach {
				if errs[i] = uploading[i].upload(n); errs[i] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	stop()
	require.NoError(t, collecting.err)
	for i, u := range uploading {
		require.NoError(t, errs[i])
		require.NotZero(t, u.kept.ID)
		w.requireWhole(u.kept)
	}
	require.Positive(t, collecting.blobs)
}

// upload makes the n-th build of two contents that others upload, too, and one that
// nobody else does, and deletes it again unless it is kept for some time.
func (u *uploader) upload(n int) error {
	pause := func() {}
	if n%3 == 0 {
		pause = u.rounds.whole // what is held stays through a whole round
	}
	own := fmt.Sprintf("picture of uploader %d", u.number)
	b, err := u.uploadPausing(pause, fmt.Sprintf("bundle %d", (u.number+n)%3), fmt.Sprintf("picture %d", n%2), own)
	if err != nil {
		return err
	}
	if err := u.whole(b); err != nil {
		return err
	}
	switch n % 5 {
	case 4:
		u.kept = b
		return nil
	case 1:
		if n > 1 {
			if err := u.whole(u.kept); err != nil {
				return err
			}
			if err := u.store.DeleteBuild(u.t.Context(), u.project.ID, alice, u.kept.ID); err != nil {
				return err
			}
		}
	}
	if err := u.store.DeleteBuild(u.t.Context(), u.project.ID, alice, b.ID); err != nil {
		return err
	}
	if n%5 != 1 {
		return nil // the next upload may come before the collection, or in the middle of it
	}
	// Nobody has the uploader's own file now, so that a whole round must take it.
	u.rounds.whole()
	r, err := u.bucket.Open(u.t.Context(), u.project.ID, b.Assets[2].MD5)
	if models.CodeOf(err) == models.CodeNotFound {
		return nil
	}
	if err == nil {
		err = errors.Join(fmt.Errorf("the file of uploader %d is still there after a collection", u.number), r.Close())
	}
	return err
}

// whole checks that every file of the build is there.
func (u *uploader) whole(b models.Build) error {
	for _, a := range b.Assets {
		r, err := u.bucket.Open(u.t.Context(), u.project.ID, a.MD5)
		if err != nil {
			return fmt.Errorf("file %q of build %d: %w", a.Path, b.ID, err)
		}
		if err := r.Close(); err != nil {
			return err
		}
	}
	return nil
}
