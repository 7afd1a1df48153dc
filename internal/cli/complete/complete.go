// Package complete completes arguments and flags of waft in a shell with the names that exist on the server.
package complete

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// patience is the maximum time for completions, because a person waits for the key that they pressed.
const patience = 2 * time.Second

// source returns the candidates of one kind, such as the channels.
type source func(context.Context, *client.Waft) ([]cobra.Completion, error)

// ofArgument are the candidates for arguments, by their name in the command's use.
var ofArgument = map[string]source{
	"CHANNEL": channels, "RELEASE": releases, "POLICY": policies, "FLAG": flags, "BRANCH": branches, "SEGMENT": segments, "ROLLOUT": rollouts,
	"WEBHOOK": webhooks, "MEMBER": members, "CONTEXT": contexts, "GROUP": errorGroups,
}

// ofGroup are the candidates for the arguments ID and NAME, by the group of commands that they belong to. A command
// that creates something gets none.
var ofGroup = map[string]source{
	"channels": channels, "releases": releases, "rollouts": rollouts, "builds": builds, "keys": keys, "policies": policies, "flags": flags,
	"branches": branches, "segments": segments, "incidents": incidents,
}

// ofFlag are the candidates for flags that mean the same in every command.
var ofFlag = map[string]source{
	"channel": channels, "policy": policies, "branch": branches, "rollout-branch": branches,
	"platform": words("ios", "android"), "role": words("client", "viewer", "editor", "admin"),
}

// ofFlagIn are the candidates for flags whose meaning depends on the command.
var ofFlagIn = map[string]source{
	"waft promote --from": channels, "waft promote --to": channels, "waft rollback --to": releases, "waft releases republish --with": releases,
}

// Register adds completions to the command and all commands below it.
func Register(root *cobra.Command, s *command.Settings) {
	for _, cmd := range root.Commands() {
		register(cmd, s)
	}
}

func register(cmd *cobra.Command, s *command.Settings) {
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = arguments(cmd, s)
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		from := ofFlagIn[cmd.CommandPath()+" --"+f.Name]
		if from == nil {
			from = ofFlag[f.Name]
		}
		if _, set := cmd.GetFlagCompletionFunc(f.Name); set || from == nil || cmd.LocalNonPersistentFlags().Lookup(f.Name) == nil {
			return
		}
		_ = cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return ask(cmd, s, from)
		}) // it fails for flags that are unknown or have a function
	})
	for _, sub := range cmd.Commands() {
		register(sub, s)
	}
}

// arguments returns the completion of the command's arguments.
func arguments(cmd *cobra.Command, s *command.Settings) cobra.CompletionFunc {
	names := strings.Fields(cmd.Use)[1:]
	return func(cmd *cobra.Command, given []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(given) >= len(names) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		name := strings.Trim(names[len(given)], "[]") // of an argument that can be omitted
		switch from := ofArgument[name]; {
		case name == "FILE" || name == "DIR":
			return nil, cobra.ShellCompDirectiveDefault
		case from != nil:
			return ask(cmd, s, from)
		case len(given) == 0 && cmd.Name() != "create" && cmd.HasParent() && ofGroup[cmd.Parent().Name()] != nil:
			return ask(cmd, s, ofGroup[cmd.Parent().Name()])
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// ask returns the candidates of a source. A shell cannot show errors: after an error ask returns an empty list.
func ask(cmd *cobra.Command, s *command.Settings, from source) ([]cobra.Completion, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(cmd.Context(), patience)
	defer cancel()
	if prepare := cmd.Root().PersistentPreRunE; prepare != nil { // cobra does not call it for completions
		if err := prepare(cmd, nil); err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
	}
	api, err := s.Client(ctx)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	found, err := from(ctx, api)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

func words(list ...cobra.Completion) source {
	return func(context.Context, *client.Waft) ([]cobra.Completion, error) { return list, nil }
}
