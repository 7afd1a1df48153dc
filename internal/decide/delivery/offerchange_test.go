package delivery

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A device returns to a release in different ways. Each time, the response tells its exposure from the earlier one.
func TestOfferChangeTellsThatADeviceReturnsToARelease(t *testing.T) {
	t.Parallel()
	p := newTestProject()
	good := p.publish("production")
	other := p.branch("other")
	seen := map[int64]bool{}
	serves := func(id int64, isNew bool) {
		t.Helper()
		r, s := ask("d"), p.snapshot(t)
		response := s.Respond(r)
		require.Equal(t, p.uuid(id), response.UpdateUUID)
		require.Equal(t, isNew, !seen[response.OfferChange])
		require.Equal(t, response.OfferChange, s.Respond(r).OfferChange)
		seen[response.OfferChange] = true
	}
	tick := func() time.Time { p.clock = p.clock.Add(time.Minute); return p.clock }
	serves(good, true)
	bad := p.publish("production")
	serves(bad, true)
	for _, enabled := range []bool{false, true, false, true} {
		r := p.release(bad)
		r.IsEnabled, r.UpdatedAt = enabled, tick()
		serves(map[bool]int64{false: good, true: bad}[enabled], true)
	}
	tick()
	p.remove(bad)
	serves(good, true)
	elsewhere := p.publish("other")
	serves(good, false)
	home := p.production().BranchID
	p.production().BranchID, p.production().UpdatedAt = other, tick()
	serves(elsewhere, true)
	p.production().BranchID, p.production().UpdatedAt = home, tick()
	serves(good, true)
}
