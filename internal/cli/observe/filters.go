// Package observe contains the commands of waft about the reports of devices: errors, devices, adoption and incidents.
package observe

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

var platforms = []string{"ios", "android", "web"}

// channelFilter returns the flag --channel of a list. noun names the records in the plural.
func channelFilter(noun string) command.Filter {
	return command.Filter{Flag: "channel", Usage: "list only " + noun + " of this channel"}
}

func platformFilter(noun string) command.Filter {
	return command.Filter{Flag: "platform", Usage: "list only " + noun + " of this platform: ios, android or web", Values: platforms}
}

// releaseFilter returns the flag --release of a list. what names the devices, or the records with their devices, such as "events of
// devices".
func releaseFilter(what string) command.Filter {
	return command.Filter{
		Flag: "release", Usage: "list only " + what + " that run this release, by its ID or update ID",
		Param: "updateUuid", Find: command.UpdateOf,
	}
}

func sinceFilter(fallback string) command.Filter {
	return command.Filter{
		Flag: "since", Usage: "start of the window: a duration before now such as 6h, or a time such as 2026-03-14T09:00:00Z", Param: "from",
		Find: startOf, Default: fallback,
	}
}

// startOf returns the time that --since names.
func startOf(_ command.Call, text string) (string, error) {
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return time.Now().Add(-d).UTC().Format(time.RFC3339), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return "", command.Usagef("--since must be a duration such as 6h or a time such as 2026-03-14T09:00:00Z, not %q", text)
	}
	return at.UTC().Format(time.RFC3339), nil
}

// assignee returns the value of the filter --assignee for me, none, or a member's email address.
func assignee(c command.Call, who string) (string, error) {
	if who == "me" || who == "none" {
		return who, nil
	}
	id, err := userOf(c, who)
	return strconv.FormatInt(id, 10), err
}

// userOf returns the user ID of the member with an email address.
func userOf(c command.Call, email string) (int64, error) {
	found, _, err := command.Find(c, "/members", url.Values{}, func(m client.Member) bool { return strings.EqualFold(m.Email, email) })
	if err != nil {
		return 0, err
	}
	if found == nil {
		return 0, command.NotFoundf("member %q does not exist in this project; `waft members list` lists them", email)
	}
	return found.UserID, nil
}

// pairLines returns a line for each name and value.
func pairLines(noun string, values map[string]string) []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		lines = append(lines, fmt.Sprintf("%s %s = %s", noun, name, command.OneLine(values[name], 100)))
	}
	return lines
}
