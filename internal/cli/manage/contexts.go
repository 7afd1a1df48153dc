package manage

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

var contextKinds = []string{"user", "device", "organization", "service", "environment"}

// Contexts returns the command that lists, pins and deletes contexts.
func Contexts(s *command.Settings) *cobra.Command {
	return s.Group("contexts", "List, show, pin and delete contexts: the subjects that flags are evaluated for",
		command.List[client.Context]{
			Noun: "contexts", Short: "List the contexts, most recently seen first", Path: "/contexts",
			Header: []string{"ID", "KIND", "KEY", "NAME", "LAST SEEN", "EVALUATIONS", "PINNED"}, Row: contextRow,
			Filters: []command.Filter{
				{Flag: "kind", Usage: "list only contexts of this kind: " + command.Choice(contextKinds), Values: contextKinds},
				command.SearchFilter("contexts", "targeting key or name"),
			},
		}.Command(s),
		s.On("show CONTEXT", "Show a context and its attributes, by its targeting key or ID", contextOf, func(c command.Call, id int64) error {
			return command.Tell(c, contextLines).Found(c.API.GetContextWithResponse(c.Context(), id, &client.GetContextParams{}))
		}),
		pinContextCommand(s),
		command.List[client.ContextAttribute]{
			Use: "attributes", Noun: "attributes", Short: "List the attributes that contexts have, for conditions of segments and rules",
			Path: "/contexts/attributes", Whole: true, Header: []string{"ATTRIBUTE", "CONTEXTS", "MOST FREQUENT VALUES"}, Row: attributeRow,
		}.Command(s),
		command.List[string]{
			Use: "kinds", Noun: "kinds", Short: "List the kinds of contexts", Path: "/contexts/kinds", Whole: true,
			Lines: func(kinds []string) []string { return kinds },
		}.Command(s),
		deletion{
			verb: "delete", argument: "CONTEXT", named: "context", numbered: "context with the ID", find: contextWithKey,
			short: "Delete a context, by its targeting key or with --id by its ID; its next evaluation records it again",
			delete: func(c command.Call, id int64, record string) error {
				if err := c.Confirm(fmt.Sprintf("Delete the %s?", record)); err != nil {
					return err
				}
				_, err := c.API.DeleteContextWithResponse(c.Context(), id, &client.DeleteContextParams{})
				return command.Done(c, err, "%s deleted", record)
			},
		}.command(s),
	)
}

// contextOf finds the context with a targeting key or ID. Targeting keys are tried before IDs.
func contextOf(c command.Call, key string) (int64, error) {
	found, _, err := command.Find(c, "/contexts", url.Values{"search": {key}}, func(x client.Context) bool { return x.TargetingKey == key })
	switch {
	case err != nil:
		return 0, err
	case found != nil:
		return found.ID, nil
	case command.Number(key) > 0:
		return command.Number(key), nil
	}
	return 0, noContext(key)
}

// contextWithKey finds the only context with a targeting key. Contexts of different kinds can have the same.
func contextWithKey(c command.Call, key string) (int64, error) {
	var ids []int64
	_, _, err := command.Find(c, "/contexts", url.Values{"search": {key}}, func(x client.Context) bool {
		if x.TargetingKey == key {
			ids = append(ids, x.ID)
		}
		return false // go on to the next
	})
	switch {
	case err != nil:
		return 0, err
	case len(ids) == 0:
		return 0, noContext(key)
	case len(ids) > 1:
		return 0, command.Usagef("contexts of %d kinds have the targeting key %q: use --id; `waft contexts list` shows the IDs", len(ids), key)
	}
	return ids[0], nil
}

func noContext(key string) error {
	return command.NotFoundf("context %q does not exist in this project; `waft contexts list` lists them", key)
}

func contextRow(x client.Context) []string {
	pinned := ""
	if x.Pinned {
		pinned = "pinned"
	}
	return []string{
		strconv.FormatInt(x.ID, 10), string(x.Kind), command.Cell(x.TargetingKey), command.Cell(x.Name),
		x.LastSeenAt.UTC().Format(command.Stamp), strconv.FormatInt(x.EvaluationCount, 10), pinned,
	}
}

func contextLines(x client.Context) []string {
	lines := []string{strings.TrimSpace(fmt.Sprintf("%s %s (%d) %s", x.Kind, x.TargetingKey, x.ID, x.Name)), fmt.Sprintf(
		"first seen %s, last seen %s, %s",
		x.FirstSeenAt.UTC().Format(command.Stamp), x.LastSeenAt.UTC().Format(command.Stamp), count.Of(x.EvaluationCount, "evaluation"))}
	if x.Pinned {
		lines = append(lines, "pinned: evaluations do not change it")
	}
	for _, name := range slices.Sorted(maps.Keys(x.Attributes)) {
		lines = append(lines, "  "+name+": "+command.ValueText(x.Attributes[name]))
	}
	return lines
}

func attributeRow(a client.ContextAttribute) []string {
	values := make([]string, len(a.Values))
	for i, v := range a.Values {
		values[i] = command.ValueText(v)
	}
	return []string{a.Name, strconv.FormatInt(a.Contexts, 10), command.Cell(strings.Join(values, ", "))}
}

func pinContextCommand(s *command.Settings) *cobra.Command {
	var kind, name string
	var attributes []string
	cmd := s.Calling("pin KEY", "Create a pinned context, or pin a context: evaluations then do not change it", func(c command.Call) error {
		if !slices.Contains(contextKinds, kind) {
			return command.Usagef("--kind must be %s, not %q", command.Choice(contextKinds), kind)
		}
		body, err := command.BodyOf(c, "kind", "name")
		if err != nil {
			return err
		}
		body.Set("targetingKey", c.Args[0])
		body.Set("kind", kind)
		if len(attributes) > 0 {
			values, err := assignments("attribute", attributes)
			if err != nil {
				return err
			}
			body.Set("attributes", values)
		}
		reader, err := body.Reader()
		if err != nil {
			return err
		}
		res, err := c.API.CreateContextWithBodyWithResponse(c.Context(), &client.CreateContextParams{}, "application/json", reader)
		if err != nil {
			return err
		}
		made := res.JSON201
		if made == nil {
			made = res.JSON200
		}
		return command.Tell(c, contextLines).Print(res.Body, made)
	})
	cmd.Example = "  waft contexts pin ada@example.com --kind user --attribute plan=beta --attribute seats=3"
	f := cmd.Flags()
	f.StringVar(&kind, "kind", "user", "kind of the context: "+command.Choice(contextKinds))
	f.StringVar(&name, "name", "", "display name of the context")
	f.StringArrayVar(&attributes, "attribute", nil, "attribute as NAME=VALUE, with a value in JSON or a string; can be repeated")
	return cmd
}

// assignments reads the values NAME=VALUE of a repeated flag. Values that are not JSON are strings.
func assignments(flag string, texts []string) (map[string]any, error) {
	values := map[string]any{}
	for _, text := range texts {
		name, value, found := strings.Cut(text, "=")
		if !found || name == "" {
			return nil, command.Usagef("--%s must be NAME=VALUE, not %q", flag, text)
		}
		var parsed any
		if json.Unmarshal([]byte(value), &parsed) != nil {
			parsed = value
		}
		values[name] = parsed
	}
	return values, nil
}
