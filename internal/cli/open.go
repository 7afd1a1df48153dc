package cli

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/cli/command"
)

func openCommand(s *command.Settings) *cobra.Command {
	var show bool
	cmd := s.Calling("open", "Open the dashboard page of a release, a rollout, a flag or another thing", func(c command.Call) error {
		page, err := pageOf(c)
		if err != nil {
			return err
		}
		address := c.PageURL(page)
		if c.JSON {
			return command.PrintRecord(c.OutOrStdout(), map[string]string{"url": address})
		}
		if err := command.PrintLines(c.OutOrStdout(), []string{address}); err != nil || show {
			return err
		}
		if err := command.OpenBrowser(c.Context(), address); err != nil {
			return command.PrintLines(c.ErrOrStderr(), []string{"no browser could be opened; open the address yourself"})
		}
		return nil
	})
	cmd.Use = "open [THING [NAME]]"
	cmd.Args = openArgs
	cmd.ValidArgs = openable()
	cmd.Long = "Without arguments it opens the overview. With the plural, such as `waft open flags`, it opens the list.\n" +
		"The address is printed too. Things with a name of their own:\n\n" + openHelp() +
		"\nLists and settings: " + strings.Join(listNames(), ", ") + "."
	cmd.Example = "  waft open\n  waft open rollout 21\n  waft open flag checkout\n  waft open device 2b7f9a1c --print"
	cmd.Flags().BoolVar(&show, "print", false, "print the address without opening a browser")
	return cmd
}

// openThing is something with a page of its own.
type openThing struct {
	name, arg, what string
	page            func(c command.Call, arg string) (string, error)
}

// numbered returns the page of a record in a folder of the dashboard, by the ID that find returns.
func numbered(folder string, find command.Lookup) func(command.Call, string) (string, error) {
	return func(c command.Call, arg string) (string, error) {
		id, err := find(c, arg)
		return fmt.Sprintf("%s/%d", folder, id), err
	}
}

// named returns the page of a record in a folder of the dashboard, by its name.
func named(folder string) func(command.Call, string) (string, error) {
	return func(_ command.Call, arg string) (string, error) { return folder + "/" + url.PathEscape(arg), nil }
}

// searched returns a list of the dashboard that shows only the records with a name.
func searched(list string) func(command.Call, string) (string, error) {
	return func(_ command.Call, arg string) (string, error) {
		return list + "?" + url.Values{"search": {arg}}.Encode(), nil
	}
}

var openThings = []openThing{
	{"approval", "ID", "a call that waits for approval", numbered("approvals", command.ByID("approval", "waft approvals list"))},
	{"branch", "NAME", "a branch, in the list of channels and branches", searched("channels")},
	{"channel", "NAME", "a channel, in the list of channels", searched("channels")},
	{"context", "KEY", "a context, in the list of contexts", searched("contexts")},
	{"device", "ID", "a device: what it gets, and its events", named("devices")},
	{"error", "FINGERPRINT", "an error group with its stack trace", named("observe")},
	{"flag", "KEY", "a feature flag, by its key or ID", numbered("flags", command.FlagOf)},
	{"policy", "NAME", "a rollout policy, by its name or ID", numbered("policies", command.PolicyOf)},
	{"release", "ID", "a release", numbered("releases", command.ReleaseOf)},
	{"rollout", "ID", "a rollout with its timeline", numbered("rollouts", command.RolloutOf)},
	{"segment", "NAME", "a segment, in the list of segments", searched("segments")},
	{"webhook", "ID", "a webhook with its deliveries", numbered("webhooks", command.ByID("webhook", "waft webhooks list"))},
}

// openPages are the pages that are not about one record.
var openPages = map[string]string{
	"overview": "overview", "releases": "releases", "builds": "builds", "publish": "publish", "rollouts": "rollouts", "channels": "channels",
	"branches": "channels", "policies": "policies", "flags": "flags", "segments": "segments", "contexts": "contexts", "incidents": "incidents",
	"errors": "observe", "devices": "devices", "webhooks": "webhooks", "overrides": "overrides", "approvals": "approvals", "audit": "audit",
	"settings": "settings/project", "keys": "settings/keys", "members": "settings/members", "signing": "settings/signing",
	"retention": "settings/retention", "sign-in": "settings/sign-in", "publishers": "settings/publishers", "sessions": "settings/sessions",
}

func listNames() []string {
	names := make([]string, 0, len(openPages))
	for name := range openPages {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// openable returns the words that can follow `waft open`.
func openable() []string {
	words := listNames()
	for _, t := range openThings {
		words = append(words, t.name+"\t"+t.what)
	}
	return words
}

func openHelp() string {
	rows := make([]string, len(openThings))
	for i, t := range openThings {
		rows[i] = fmt.Sprintf("  %-20s %s\n", t.name+" "+t.arg, t.what)
	}
	return strings.Join(rows, "")
}

func findThing(name string) *openThing {
	i := slices.IndexFunc(openThings, func(t openThing) bool { return t.name == name })
	if i < 0 {
		return nil
	}
	return &openThings[i]
}

func openArgs(_ *cobra.Command, given []string) error {
	if len(given) == 0 {
		return nil
	}
	thing := findThing(given[0])
	switch {
	case thing == nil && openPages[given[0]] == "":
		return command.Usagef("%q has no page; `waft open --help` lists what has one", given[0])
	case thing != nil && (len(given) < 2 || given[1] == ""):
		return command.Usagef("%s is missing: waft open %s %[1]s", thing.arg, thing.name)
	case thing == nil && len(given) > 1:
		return command.Usagef("unexpected argument %q: waft open %s", given[1], given[0])
	case len(given) > 2:
		return command.Usagef("unexpected argument %q: waft open %s %s", given[2], thing.name, thing.arg)
	}
	return nil
}

// pageOf returns the path of the page that the arguments name.
func pageOf(c command.Call) (string, error) {
	if len(c.Args) == 0 {
		return "overview", nil
	}
	if thing := findThing(c.Args[0]); thing != nil {
		if strings.Trim(c.Args[1], ".") == "" { // a browser would shorten the path
			return "", command.Usagef("%s must not consist of dots", thing.arg)
		}
		return thing.page(c, c.Args[1])
	}
	return openPages[c.Args[0]], nil
}
