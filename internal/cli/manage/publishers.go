package manage

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

const publisherExample = `  waft publishers add --issuer https://token.actions.githubusercontent.com --audience https://ota.example.com \
    --claim repository=acme/app --claim ref=refs/heads/main --channel staging`

// Publishers returns the command that lists, adds and removes trusted publishers.
func Publishers(s *command.Settings) *cobra.Command {
	return s.Group("publishers", "List, add and remove trusted publishers: CI jobs that publish without a stored key",
		command.List[client.TrustedPublisher]{
			Noun: "trusted publishers", Short: "List the trusted publishers", Path: "/trusted-publishers", Whole: true,
			Header: []string{"ID", "ISSUER", "AUDIENCE", "CLAIMS", "ROLE", "CHANNELS"}, Row: publisherRow,
		}.Command(s),
		addPublisherCommand(s),
		s.Calling("remove ID", "Remove a trusted publisher; its jobs do not get keys any more", func(c command.Call) error {
			id, err := command.ByID("trusted publisher", "waft publishers list")(c, c.Args[0])
			if err != nil {
				return err
			}
			entries, err := publishers(c)
			if err != nil {
				return err
			}
			kept := slices.DeleteFunc(slices.Clone(entries), func(e publisher) bool { return e.ID == id })
			if len(kept) == len(entries) {
				return command.NotFoundf("trusted publisher %d does not exist; `waft publishers list` lists them", id)
			}
			if err := c.Confirm(fmt.Sprintf("Remove the trusted publisher %d?", id)); err != nil {
				return err
			}
			return putPublishers(c, kept, func([]client.TrustedPublisher) []string {
				return []string{fmt.Sprintf("trusted publisher %d removed", id)}
			})
		}),
	)
}

func publisherRow(p client.TrustedPublisher) []string {
	channels := "all"
	if p.Channels != nil {
		channels = strings.Join(*p.Channels, ", ")
	}
	var claims []string
	for _, name := range slices.Sorted(maps.Keys(p.Claims)) {
		claims = append(claims, name+"="+p.Claims[name])
	}
	return []string{strconv.FormatInt(p.ID, 10), p.Issuer, p.Audience, strings.Join(claims, ", "), string(p.Role), channels}
}

// publisher is an entry of the list with its unchanged JSON, because the API replaces the whole list.
type publisher struct {
	ID  int64
	raw json.RawMessage
}

// publishers returns the present list.
func publishers(c command.Call) (entries []publisher, err error) {
	_, _, err = command.Find(c, "/trusted-publishers", nil, func(raw json.RawMessage) bool {
		var e publisher
		if json.Unmarshal(raw, &e) == nil {
			entries = append(entries, publisher{e.ID, slices.Clone(raw)})
		}
		return false
	})
	return entries, err
}

// putPublishers replaces the list.
func putPublishers(c command.Call, entries []publisher, lines func([]client.TrustedPublisher) []string) error {
	list := make([]json.RawMessage, len(entries))
	for i, e := range entries {
		list[i] = e.raw
	}
	reader, err := command.JSONReader(list)
	if err != nil {
		return err
	}
	return command.Tell(c, lines).
		Found(c.API.PutTrustedPublishersWithBodyWithResponse(c.Context(), &client.PutTrustedPublishersParams{}, "application/json", reader))
}

func addPublisherCommand(s *command.Settings) *cobra.Command {
	var claims []string
	cmd := s.Calling("add", "Let CI jobs with certain claims publish without a stored key", func(c command.Call) error {
		body, err := command.BodyOf(c, "issuer", "audience", "channel=channels")
		if err != nil {
			return err
		}
		body.Set("role", c.Flag("role").Value.String())
		if !body.Has("audience") {
			body.Set("audience", strings.TrimRight(c.URL, "/"))
		}
		wanted := map[string]string{}
		for _, text := range claims {
			name, value, found := strings.Cut(text, "=")
			if !found {
				return command.Usagef("--claim must be NAME=VALUE such as repository=acme/app, not %q", text)
			}
			wanted[name] = value
		}
		if len(wanted) == 0 {
			return command.Usagef("--claim is missing: without a claim such as repository=acme/app every job of the issuer could publish")
		}
		body.Set("claims", wanted)
		entry, err := json.Marshal(body)
		if err != nil {
			return err
		}
		entries, err := publishers(c)
		if err != nil {
			return err
		}
		known := map[int64]bool{}
		for _, e := range entries {
			known[e.ID] = true
		}
		return putPublishers(c, append(entries, publisher{raw: entry}), func(all []client.TrustedPublisher) []string {
			var lines []string
			for _, p := range all {
				if !known[p.ID] {
					lines = append(lines, fmt.Sprintf("trusted publisher %d added: jobs of %s get keys with the role %s", p.ID, p.Issuer, p.Role))
				}
			}
			return lines
		})
	})
	cmd.Long = "Such a job exchanges its ID token for a key that works for 15 minutes; see `waft token --help`."
	cmd.Example = publisherExample
	f := cmd.Flags()
	f.String("issuer", "", "OpenID Connect issuer of the CI system, an https URL")
	f.String("audience", "", "audience that tokens must be issued for; default: the server's address")
	f.StringArrayVar(&claims, "claim", nil, "claim that a token must have, as NAME=VALUE; can be repeated")
	f.String("role", "editor", "role of the keys: viewer or editor")
	f.StringArray("channel", nil, "channel that the keys may change; can be repeated; default: all channels")
	return command.Required(cmd, "issuer")
}
