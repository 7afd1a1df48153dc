package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A page starts for the device alone, and its user signs in later. Without a network, both have the flags of their last time.
// A user who was never there does not get the flags of another user at a start.
func TestAPageKeepsTheFlagsOfAUserWhoSignsInLate(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	flag := p.create("/v1/ota/flags", object{"key": "greeting", "flagType": "boolean", "defaultValue": false}).id("id")
	p.create(path("/v1/ota/flags/%d/rules", flag), object{
		"ruleType": "user_list", "ruleConfig": object{"userIds": []string{"ada"}}, "variantValue": "true",
	})
	p.settle(flag)
	page := openPage(t, p, p.slug)
	greets := func(shown bool) { page.say(object{"do": "await", "testID": "greeting", "shown": shown}) }
	status := func(name string) { page.say(object{"do": "await status", "message": name}) }
	greets(false)
	page.say(object{"do": "sign in", "message": "ada"})
	greets(true)

	page.say(object{"do": "disconnect"})
	page.say(object{"do": "reload"})
	status("STALE")
	greets(false)
	page.say(object{"do": "sign in", "message": "ada"})
	greets(true)
	status("STALE")

	page.say(object{"do": "sign in", "message": "eve"})
	status("ERROR")
	greets(true) // within a session, the old values stay until the new ones come
	page.say(object{"do": "connect"})
	status("READY")
	greets(false)
}

// The first frame of a page has the values of the flags, from the server at the first start, and from the storage without a network.
func TestAPageShowsTheRightFlagsFromItsFirstFrame(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	p.settle(p.create("/v1/ota/flags", object{"key": "greeting", "flagType": "boolean", "defaultValue": true}).id("id"))
	page := openPage(t, p, p.slug)
	first := func() any { return page.say(object{"do": "first frame"})["text"] }
	require.Contains(t, first(), "Good to see you")
	page.say(object{"do": "disconnect"})
	page.say(object{"do": "reload"})
	require.Contains(t, first(), "Good to see you")
}
