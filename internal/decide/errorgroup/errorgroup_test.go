package errorgroup

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestTitles(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"":                                 "",
		"undefined is not an object":       "undefined is not an object",
		"Request 4711 failed after 12.5 s": "Request # failed after #.# s",
		"items[17] of basket_42":           "items[#] of basket_#",
		"no user 3f2b1c9a-6f0e-4a6d-9a57-0d6f1c6d1b11 here": "no user # here",
		"hash 9f86d081884c7d65 and 0xdeadbeef1":             "hash # and #",
		"id V1StGXR8_Z5jdHi6B3myT":                          "id #_#",
		"utf8 in checkout-v2":                               "utf# in checkout-v#",
		"  spaces\n\tand\r\nlines ":                         "spaces and lines",
		"größe 3 漢字":                                        "größe # 漢字",
		"ab12cd is an id, decade is a word":                 "# is an id, decade is a word",
	} {
		require.Equal(t, want, Title(message))
	}
	require.Equal(t, Title("took 1 ms"), Title("took 123456 ms"))
	long := Title(strings.Repeat("漢", 10_000))
	require.LessOrEqual(t, len(long), longestTitle)
	require.True(t, utf8.ValidString(long))
}

func FuzzTitle(f *testing.F) {
	f.Add("Request 4711 for 3f2b1c9a-6f0e-4a6d-9a57-0d6f1c6d1b11 failed\x00\xff")
	f.Fuzz(func(t *testing.T, message string) {
		title := Title(message)
		require.LessOrEqual(t, len(title), longestTitle)
		require.NotRegexp(t, "[0-9]", title)
	})
}

func typeError(message string) models.HealthEvent {
	return models.HealthEvent{Type: models.EventJSError, ErrorName: "TypeError", Message: message}
}

func mapped(file, function, text string, line int) Frame {
	return Frame{File: file, Function: function, Shown: function, Text: text, Line: line, InApp: true, Mapped: true}
}

// Errors that must share a fingerprint, and errors that must not.
func TestFingerprints(t *testing.T) {
	t.Parallel()
	priceOf := mapped("src/cart.js", "priceOf", "  return item.price.cents;", 7)
	checkout := mapped("src/cart.js", "checkout", "  const sum = priceOf(item);", 30)
	library := Frame{File: "node_modules/x/y.js", Function: "render", Mapped: true}
	base := Of(typeError("a 1"), []Frame{priceOf, library, checkout})
	require.Equal(t, "priceOf (src/cart.js)", base.Culprit)
	require.Equal(t, "a #", base.Title)
	require.EqualValues(t, Rule, base.Fingerprint>>hashBits, "each fingerprint contains its rule")
	same := func(e models.HealthEvent, frames ...Frame) bool { return Of(e, frames).Fingerprint == base.Fingerprint }

	moved := priceOf
	moved.Line, moved.Text = 70, "\treturn item.price.cents;"
	callerMoved := checkout
	callerMoved.Line, callerMoved.Text = 31, "    const sum = priceOf(item);"
	require.True(t, same(typeError("another message"), moved, callerMoved), "moved code and libraries do not change the fingerprint")
	require.True(t, same(typeError(""), priceOf, priceOf, priceOf, checkout), "recursion counts once")

	other := priceOf
	other.Text = "  return item.prices[0];"
	require.False(t, same(typeError("a 1"), other, checkout), "another line of the same function")
	require.False(t, same(typeError("a 1"), priceOf), "another call path")
	crash := typeError("a 1")
	crash.Type = models.EventCrash
	require.False(t, same(crash, priceOf, checkout), "a crash")
	range_ := typeError("a 1")
	range_.ErrorName = "RangeError"
	require.False(t, same(range_, priceOf, checkout), "another name")

	// A mapped frame counts with the text of its line, with and without a function map.
	unnamed := mapped("src/cart.js", "", "  return item.price.cents;", 7)
	shown := mapped("src/cart.js", "priceOf", "return item.price.cents;", 9)
	require.Equal(t, Of(typeError(""), []Frame{unnamed}).Fingerprint, Of(typeError(""), []Frame{shown}).Fingerprint)
	require.Equal(t, "priceOf (src/cart.js)", Of(typeError(""), []Frame{shown}).Culprit)
	shown.Text = "return item.prices[0];"
	require.NotEqual(t, Of(typeError(""), []Frame{unnamed}).Fingerprint, Of(typeError(""), []Frame{shown}).Fingerprint)

	deep := make([]Frame, 10_000)
	for i := range deep {
		deep[i] = mapped("a.js", fmt.Sprint("f", i%2), "", i)
	}
	require.Equal(t, Of(typeError(""), deep[:maxInApp]).Fingerprint, Of(typeError(""), deep).Fingerprint, "only the innermost frames of a deep stack count")
}

// Without a source map a frame counts with the name of its function, because positions differ in the next release's
// bundle.
func TestFingerprintsWithoutASourceMap(t *testing.T) {
	t.Parallel()
	raw := func(file, function string, line int) Frame {
		return Frame{File: file, Function: function, Shown: function, Line: line, InApp: true}
	}
	of := func(message string, frames ...Frame) models.Fingerprint {
		return Of(typeError(message), frames).Fingerprint
	}
	require.Equal(t, of("x", raw("index.android.bundle", "priceOf", 1)), of("y", raw("/data/.expo-internal/5f0c.bundle", "priceOf", 9)))
	require.NotEqual(t, of("x", raw("main.jsbundle", "priceOf", 1)), of("x", raw("main.jsbundle", "total", 1)))
	require.Equal(t, of("x", raw("a.bundle", "_e.priceOf", 1)), of("x", raw("a.bundle", "priceOf", 1), raw("a.bundle", "t", 2)), "names from a minifier do not count")
	require.Equal(t, of("took 1 ms"), of("took 2 ms", raw("a.bundle", "anonymous", 1), raw("a.bundle", "t", 3)), "without names the message counts")
	require.NotEqual(t, of("x"), of("y"))
	require.Equal(t, "priceOf (a.bundle)", Of(typeError("x"), []Frame{raw("http://h/a.bundle?dev=true", "priceOf", 1)}).Culprit)
}

// The state of a group on releases a, b and c of one target, which devices ran.
func TestStates(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }
	place := func(name string, n int, platform models.Platform, branch int64) models.ReleasePlace {
		return models.ReleasePlace{UpdateUUID: name, Platform: platform, RuntimeVersion: "1", BranchID: branch, CreatedAt: day(n)}
	}
	releases := NewReleases([]models.ReleasePlace{
		place("c", 5, models.IOS, 1), place("a", 1, models.IOS, 1), place("never-run", 4, models.IOS, 1), place("b", 3, models.IOS, 1),
		place("staging", 4, models.IOS, 2), place("android-a", 2, models.Android, 1), place("android-c", 6, models.Android, 1),
	}, []string{"a", "b", "c", "staging", "android-a", "android-c", "foreign"})
	seen := func(on string, earlier ...string) (all []models.GroupSighting) {
		for i, update := range append(earlier, on) {
			platform := models.IOS
			if strings.HasPrefix(update, "android") {
				platform = models.Android
			}
			all = append(all, models.GroupSighting{
				UpdateUUID: update, Platform: platform, FirstAt: day(10 + i), LastAt: day(20), Selected: update == on,
			})
		}
		return all
	}
	for name, c := range map[string]struct {
		seen []models.GroupSighting
		want models.GroupState
	}{
		"on the first release":                           {seen("a"), models.GroupNew},
		"on a later release alone":                       {seen("c"), models.GroupNew},
		"on every release":                               {seen("c", "a", "b"), models.GroupOngoing},
		"the release before had it":                      {seen("c", "b"), models.GroupOngoing},
		"the release before did not have it":             {seen("c", "a"), models.GroupRegressed},
		"a newer one has it too":                         {append(seen("b"), seen("c")...)[:1], models.GroupNew},
		"the embedded update had it, the one before not": {seen("c", ""), models.GroupRegressed},
		"on the embedded update alone":                   {seen(""), models.GroupNew},
		"another platform had it":                        {seen("c", "android-a"), models.GroupNew},
		"the release before on another branch":           {seen("staging", "a"), models.GroupOngoing},
		"an update that is no release of the project":    {seen("foreign"), models.GroupNew},
		"such a one after a release":                     {seen("foreign", "a"), models.GroupOngoing},
		"of two platforms the newer state":               {append(seen("android-c", "android-a"), seen("c")...), models.GroupNew},
	} {
		require.Equal(t, c.want, releases.State(c.seen), name)
	}
	first, last := releases.Ends(seen("b", "c", "", "a"))
	require.Empty(t, first, "the embedded update is the oldest")
	require.Equal(t, "c", last)
	first, last = releases.Ends(nil)
	require.Empty(t, first+last)
}
