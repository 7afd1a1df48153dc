package release

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/charmbracelet/x/term"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/live"
)

// undoOf names the targets whose newest release may be rolled back. An empty name stands for all.
type undoOf struct {
	channel, platform, runtime, reason string
	preview                            bool
}

// undoCommand rolls back the newest release of a channel, or lets a person choose a target.
func undoCommand(c command.Call, of undoOf) error {
	if of.platform != "" && !client.RollbackBodyPlatform(of.platform).Valid() {
		return command.Usagef("--platform must be ios or android, not %q", of.platform)
	}
	direct := c.Yes || of.preview
	switch {
	case direct && of.channel == "":
		return command.Usagef("--channel is missing: channel to roll back")
	case !direct && (c.JSON || !live.Usable(c.OutOrStdout()) || !isTerminal(c.InOrStdin())):
		return command.Usagef("without a terminal, name what to roll back: --channel with --yes for its newest release, " +
			"or --channel with --to or --embedded")
	}
	targets, err := of.targets(c)
	if err != nil {
		return err
	}
	if direct {
		return undoNewest(c, of, targets)
	}
	return chooseUndo(c, of, targets)
}

func isTerminal(in io.Reader) bool {
	file, ok := in.(term.File)
	return ok && term.IsTerminal(file.Fd())
}

// targets returns the named targets with a release, or an error for an empty list.
func (of undoOf) targets(c command.Call) ([]client.StreamOverview, error) {
	all, err := targetsOf(c, of.channel)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(all, func(t client.StreamOverview) bool {
		return newestOf(t) == 0 || of.platform != "" && string(t.Platform) != of.platform || of.runtime != "" && t.RuntimeVersion != of.runtime
	})
	if len(all) == 0 && of.channel != "" {
		if err := command.KnownChannel(c, of.channel); err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		return nil, command.NotFoundf("no release to roll back; `waft releases list` lists the releases")
	}
	return found, nil
}

// undoNewest rolls back the newest release of the targets without a question, or shows its preview.
func undoNewest(c command.Call, of undoOf, targets []client.StreamOverview) error {
	u, err := planUndo(c, newestTarget(targets), of.platform == "", of.reason)
	if err != nil {
		return err
	}
	if of.preview {
		p, body, err := u.preview(c)
		if err != nil {
			return err
		}
		return command.Tell(c, func(p client.ChangePreview) []string { return append(command.PreviewLines(p), u.notes...) }).Print(body, p)
	}
	d, err := u.do(c)
	if err != nil {
		return err
	}
	return command.Tell(c, func(d done) []string { return d.lines }).Print(d.body, d)
}

// chooseUndo lets a person choose a target on the terminal, shows the preview of its rollback, and rolls it back.
func chooseUndo(c command.Call, of undoOf, targets []client.StreamOverview) error {
	end, err := runPanel(c.InOrStdin(), c.OutOrStdout(), undoPanel{
		state: undoState{targets: targets, cursor: firstChoice(targets), both: of.platform == ""},
		actions: undoActions{
			list: func() ([]client.StreamOverview, error) { return of.targets(c) },
			plan: func(t client.StreamOverview, both bool) (*undo, *client.ChangePreview, error) {
				t, err := nowOf(c, t)
				if err != nil {
					return nil, nil, err
				}
				u, err := planUndo(c, t, both, of.reason)
				if err != nil {
					return nil, nil, err
				}
				p, _, err := u.preview(c)
				return u, p, err
			},
			do: func(u *undo) (*done, error) { return u.do(c) },
		},
	})
	switch {
	case err != nil:
		return err
	case errors.Is(end.err, errLeft):
		return command.PrintLines(c.ErrOrStderr(), []string{"left without a rollback"})
	case end.err != nil:
		return end.err
	case end.done == nil: // a signal ended the panel
		return context.Canceled
	}
	return command.PrintLines(c.OutOrStdout(), end.done.lines)
}

// nowOf returns a target as it is now, because a newer release may have been published since it was listed.
func nowOf(c command.Call, t client.StreamOverview) (client.StreamOverview, error) {
	all, err := targetsOf(c, t.Channel)
	if err != nil {
		return t, err
	}
	if i := slices.IndexFunc(all, func(now client.StreamOverview) bool { return targetText(now) == targetText(t) }); i >= 0 {
		return all[i], nil
	}
	return t, command.NotFoundf("%s has no release to roll back", targetText(t))
}

// firstChoice returns the index of the first target with an open incident. Otherwise it is the first target whose rollout is held
// because a rate is above its limit, or else the target with the newest release.
func firstChoice(targets []client.StreamOverview) int {
	if i := slices.IndexFunc(targets, func(t client.StreamOverview) bool { return t.Incidents > 0 }); i >= 0 {
		return i
	}
	if i := slices.IndexFunc(targets, isAboveLimit); i >= 0 {
		return i
	}
	newest := newestOf(newestTarget(targets))
	return max(0, slices.IndexFunc(targets, func(t client.StreamOverview) bool { return newestOf(t) == newest }))
}
