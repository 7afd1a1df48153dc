package fleet

import (
	"context"
	"sync"
)

// assetShelf knows which assets the fleet has downloaded and verified.
type assetShelf struct {
	mu    sync.Mutex
	known map[Asset]*shelved
}

type shelved struct {
	// downloads are done or under way.
	downloads int
	verified  bool
	size      int64
	// settled is closed and replaced when a download ends.
	settled chan struct{}
}

func newAssetShelf() *assetShelf { return &assetShelf{known: map[Asset]*shelved{}} }

// claim decides what one more device does with an asset: full is true when it is
// to download it. The size is that of the verified content otherwise. While the
// first downloads are under way, the device waits for their outcome.
func (s *assetShelf) claim(ctx context.Context, a Asset, p AssetPolicy) (full bool, size int64, err error) {
	for {
		s.mu.Lock()
		k := s.known[a]
		if k == nil {
			k = &shelved{settled: make(chan struct{})}
			s.known[a] = k
		}
		if p.Rest == AssetFull || k.downloads < p.FullDownloads {
			k.downloads++
			s.mu.Unlock()
			return true, 0, nil
		}
		verified, size, settled := k.verified, k.size, k.settled
		s.mu.Unlock()
		if verified {
			return false, size, nil
		}
		select {
		case <-ctx.Done():
			return false, 0, ctx.Err()
		case <-settled:
		}
	}
}

// settle records how a claimed download ended.
func (s *assetShelf) settle(a Asset, size int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.known[a]
	if err != nil {
		k.downloads--
	} else {
		k.verified, k.size = true, size
	}
	close(k.settled)
	k.settled = make(chan struct{})
}
