package demo

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/models"
)

var noon = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

func second(n int) time.Time { return noon.Add(time.Duration(n) * time.Second) }

// launch returns the start of an Android device at a second, with the update that ran and the update that runs next. The first
// letter of an update is its bundle.
func launch(device, at int, ran, next string) fleet.Launch {
	ref := func(update string) fleet.Ref {
		if update == "" {
			return fleet.Ref{}
		}
		return fleet.Ref{UpdateID: update, Bundle: update[:1]}
	}
	return fleet.Launch{
		Device: fleet.Identity{Index: device, Platform: models.Android}, AskedAt: second(at), At: second(at), ReportedAt: second(at).Add(time.Millisecond),
		Ran: ref(ran), Next: ref(next), Reported: true,
	}
}

func crashing(l fleet.Launch) fleet.Launch {
	l.Crashed = true
	return l
}

func ledgerOf(launches ...fleet.Launch) *ledger {
	l := newLedger()
	for _, launch := range launches {
		l.add(launch)
	}
	return l
}

func TestShareCountsDevicesByTheirLastAnswerInTheWindow(t *testing.T) {
	t.Parallel()
	ios := launch(9, 2, "a1", "b1")
	ios.Device.Platform = models.IOS
	slow := launch(5, 3, "a1", "a1")
	slow.AskedAt = second(0) // the response may have come before the window
	l := ledgerOf(
		launch(1, 0, "a1", "b1"),                           // too early
		launch(1, 1, "b1", "b1"), launch(2, 1, "a1", "a1"), // in the window
		launch(3, 2, "a1", "a1"), launch(3, 3, "a1", "b1"), // twice: the last counts
		launch(4, 9, "a1", "b1"), // too late
		slow,
		ios,
	)
	holders, asked := l.share(ids{"b1": true}, models.Android, second(1), second(5))
	require.Equal(t, 2, holders)
	require.Equal(t, 3, asked)
}

func TestAShareIsServedFromTheFirstDeviceThatItAdds(t *testing.T) {
	t.Parallel()
	failed := launch(5, 3, "a1", "a1")
	failed.Outcome = fleet.CheckFailed
	ios := launch(9, 1, "a1", "b1")
	ios.Device.Platform = models.IOS
	l := ledgerOf(
		launch(1, 1, "a1", "a1"), ios, // before the first percentage
		launch(2, 2, "a1", "b1"),         // the first percentage
		launch(1, 4, "a1", "b1"),         // sent no request under the first percentage
		failed, launch(5, 5, "a1", "b1"), // got no response under it
		launch(3, 3, "a1", "a1"), launch(4, 3, "a1", "a1"),
		launch(4, 7, "a1", "b1"), launch(3, 6, "a1", "b1"), // the second percentage
	)
	require.Equal(t, []time.Time{second(2), second(6), {}}, l.servedFrom(ids{"b1": true}, models.Android, 3))
}

func TestLeftCountsDevicesThatFellOut(t *testing.T) {
	t.Parallel()
	l := ledgerOf(
		launch(1, 1, "a1", "b1"), launch(1, 2, "b1", "b1"), // stays
		launch(2, 1, "a1", "b1"), launch(2, 2, "b1", "a1"), // falls out
		launch(3, 1, "a1", "a1"),                           // was never in
		launch(4, 1, "a1", "b1"), launch(4, 9, "b1", "a1"), // falls out later
	)
	require.Equal(t, 1, l.left(ids{"b1": true}, second(5)))
	require.Equal(t, 2, l.left(ids{"b1": true}, second(9)))
}

func TestCrashesAndTheWayBack(t *testing.T) {
	t.Parallel()
	l := ledgerOf(
		launch(1, 1, "a1", "c1"), crashing(launch(1, 3, "c1", "c1")), crashing(launch(1, 4, "c1", "c1")),
		launch(2, 1, "a1", "c1"), crashing(launch(2, 2, "c1", "c1")), launch(2, 6, "c1", "a2"), launch(2, 7, "a2", "a2"),
		launch(3, 1, "a1", "c1"), launch(3, 5, "c1", "a2"),
		launch(4, 1, "a1", "a1"), launch(4, 6, "a1", "a1"),
		launch(5, 6, "a1", "a2"),
	)
	broken := ids{"c1": true}
	devices, first := l.crashes(broken)
	require.Equal(t, 2, devices)
	require.Equal(t, second(2).Add(time.Millisecond), first)
	require.Equal(t, second(5), l.servedBack(broken, first))
	require.True(t, l.servedBack(broken, second(6)).IsZero())
	require.Equal(t, map[int]bool{1: true, 2: true, 3: true}, l.everHeld(broken))

	bundles := map[models.Platform]string{models.Android: "a"}
	require.Equal(t, 2, l.notYetOn(l.everHeld(broken), bundles), "1 and 3 did not start again yet")
	require.Equal(t, 1, l.running(ids{"a2": true}))
	require.Equal(t, map[string]int{"c": 1, "a": 4}, l.held())

	touched, strayed := l.touched(ids{"a1": true}, bundles, l.everHeld(broken), second(0))
	require.Equal(t, 4, touched, "device 5 got the release before again")
	require.Zero(t, strayed)
	_, strayed = l.touched(ids{"a1": true}, bundles, nil, second(0))
	require.Equal(t, 3, strayed)
}

func TestAnUnreportedCrashIsNone(t *testing.T) {
	t.Parallel()
	lost := crashing(launch(1, 1, "c1", "c1"))
	lost.Reported = false
	devices, first := ledgerOf(lost).crashes(ids{"c1": true})
	require.Zero(t, devices)
	require.True(t, first.IsZero())
}
