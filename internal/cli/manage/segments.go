package manage

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

const segmentExample = `  waft segments create "Beta testers" --condition 'plan in ["beta", "staff"]' ` +
	`--condition 'version semver_gte "2.0.0"'
  waft segments create Staff --match-type any --condition 'email ends_with "@example.com"' --condition 'isStaff eq true'`

// Segments returns the command that lists and changes segments.
func Segments(s *command.Settings) *cobra.Command {
	return s.Group("segments", "List, show, create, change and delete segments: named conditions that flag rules refer to",
		command.List[client.Segment]{
			Noun: "segments", Short: "List the segments", Path: "/segments",
			Header: []string{"ID", "KEY", "NAME", "MATCHES", "CONDITIONS", "DEVICES", "USED BY"}, Row: segmentRow,
			Filters: []command.Filter{command.SearchFilter("segments", "key or name")},
		}.Command(s),
		s.On("show SEGMENT", "Show a segment, by its key or ID", segmentOf, func(c command.Call, id int64) error {
			return command.Tell(c, segmentLines).Found(c.API.GetSegmentWithResponse(c.Context(), id, &client.GetSegmentParams{}))
		}),
		createSegmentCommand(s), editSegmentCommand(s), estimateSegmentCommand(s),
		deletion{
			verb: "delete", argument: "SEGMENT", named: "segment", numbered: "segment with the ID", find: segmentWithKey,
			short: "Delete a segment that no flag rule uses, by its key or with --id by its ID",
			delete: func(c command.Call, id int64, record string) error {
				if err := c.Confirm(fmt.Sprintf("Delete the %s?", record)); err != nil {
					return err
				}
				_, err := c.API.DeleteSegmentWithResponse(c.Context(), id, &client.DeleteSegmentParams{})
				return command.Done(c, err, "%s deleted", record)
			},
		}.command(s),
	)
}

// segmentOf finds the segment with a key or ID. Keys are tried before IDs.
func segmentOf(c command.Call, keyOrID string) (int64, error) {
	id, err := segmentWithKey(c, keyOrID)
	var unknown *command.NotFoundError
	if number := command.Number(keyOrID); number > 0 && errors.As(err, &unknown) {
		return number, nil
	}
	return id, err
}

// segmentWithKey finds the segment with a key.
func segmentWithKey(c command.Call, key string) (int64, error) {
	found, _, err := command.Find(c, "/segments", url.Values{}, func(s client.Segment) bool { return s.Key == key })
	switch {
	case err != nil:
		return 0, err
	case found == nil:
		return 0, command.NotFoundf("segment %q does not exist in this project; `waft segments list` lists them", key)
	}
	return found.ID, nil
}

func segmentRow(g client.Segment) []string {
	return []string{
		strconv.FormatInt(g.ID, 10), g.Key, command.Cell(g.Name), string(g.MatchType), strconv.Itoa(len(g.Conditions)),
		command.OrDash(g.EstimatedDevices), flagsOf(g.ReferencedBy),
	}
}

// flagsOf returns the keys of the flags whose rules use a segment, each once.
func flagsOf(references []client.SegmentReference) string {
	text := ""
	seen := map[string]bool{}
	for _, r := range references {
		if seen[r.FlagKey] {
			continue
		}
		seen[r.FlagKey] = true
		if text != "" {
			text += ", "
		}
		text += r.FlagKey
	}
	return orNone(text)
}

func segmentLines(g client.Segment) []string {
	lines := []string{fmt.Sprintf("segment %s (%d), %s: matches contexts for which %s", g.Key, g.ID, g.Name, matchText(string(g.MatchType)))}
	for _, condition := range g.Conditions {
		lines = append(lines, "  "+conditionText(condition))
		if condition.Problem != nil && *condition.Problem != "" {
			lines = append(lines, "    warning: "+*condition.Problem)
		}
	}
	if g.EstimatedDevices != nil {
		lines = append(lines, "devices of the last seven days: "+strconv.FormatInt(*g.EstimatedDevices, 10))
	}
	if len(g.ReferencedBy) > 0 {
		lines = append(lines, "used by rules of the flags "+flagsOf(g.ReferencedBy))
	}
	return lines
}

func matchText(matchType string) string {
	if matchType == "any" {
		return "at least one condition holds"
	}
	return "all conditions hold"
}

func segmentFlags(cmd *cobra.Command, operation string) {
	f := cmd.Flags()
	f.String("match-type", "all", "all: every condition must hold; any: at least one")
	f.StringArray("condition", nil, "condition as 'ATTRIBUTE OPERATOR VALUE', with a value or a list of values in JSON; can be repeated")
	f.String("description", "", "description of the segment")
	command.FileFlag(cmd, operation)
}

// segmentBody returns the body of a segment from the flags. command.BodyOf explains the names.
func segmentBody(c command.Call, names ...string) (command.Body, error) {
	body, err := command.BodyOf(c, names...)
	if err != nil {
		return body, err
	}
	texts, err := c.Flags().GetStringArray("condition")
	if err != nil || len(texts) == 0 {
		return body, err
	}
	conditions, err := parseConditions(texts)
	body.Set("conditions", conditions)
	return body, err
}

func createSegmentCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("create NAME", "Create a segment from conditions", func(c command.Call) error {
		body, err := segmentBody(c, "key", "match-type", "description")
		if err != nil {
			return err
		}
		body.Set("name", c.Args[0])
		if !body.Has("matchType") {
			body.Set("matchType", "all")
		}
		if !body.Has("conditions") {
			return command.Usagef("--condition is missing: use it at least once, or --file")
		}
		reader, err := body.Reader()
		if err != nil {
			return err
		}
		return command.Tell(c, segmentLines).
			Made(c.API.CreateSegmentWithBodyWithResponse(c.Context(), &client.CreateSegmentParams{}, "application/json", reader))
	})
	cmd.Long = "Operators: " + operatorNames() + ".\nA value without quotes that is not JSON is a string."
	cmd.Example = segmentExample
	segmentFlags(cmd, "POST /v1/ota/segments")
	cmd.Flags().String("key", "", "key that rules name; default: from NAME")
	return cmd
}

func editSegmentCommand(s *command.Settings) *cobra.Command {
	var preview bool
	cmd := s.On("edit SEGMENT", "Change a segment; --condition replaces all its conditions", segmentOf, func(c command.Call, id int64) error {
		body, err := segmentBody(c, "name", "match-type", "description?", "condition=conditions")
		if err != nil {
			return err
		}
		reader, err := body.Changes(c)
		if err != nil {
			return err
		}
		if preview {
			return command.Tell(c, command.PreviewLines).Found(c.API.PreviewSegmentWithBodyWithResponse(
				c.Context(), id, &client.PreviewSegmentParams{}, "application/json", reader))
		}
		return command.Tell(c, segmentLines).
			Found(c.API.PatchSegmentWithBodyWithResponse(c.Context(), id, &client.PatchSegmentParams{}, "application/json", reader))
	})
	cmd.Long = "Operators: " + operatorNames() + "."
	cmd.Example = "  waft segments edit beta-testers --condition 'plan in [\"beta\", \"staff\"]' --preview"
	segmentFlags(cmd, "PATCH /v1/ota/segments/{id}")
	cmd.Flags().String("name", "", "display name of the segment")
	command.PreviewFlag(cmd, &preview)
	return cmd
}

func estimateSegmentCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("estimate", "Count the devices that conditions match, without creating a segment", func(c command.Call) error {
		body, err := segmentBody(c, "match-type")
		if err != nil {
			return err
		}
		if !body.Has("matchType") {
			body.Set("matchType", "all")
		}
		if !body.Has("conditions") {
			return command.Usagef("--condition is missing: use it at least once, or --file")
		}
		reader, err := body.Reader()
		if err != nil {
			return err
		}
		lines := func(e client.SegmentEstimate) []string {
			if e.EstimatedDevices == nil {
				return []string{"the number of devices is unknown: only the app can evaluate these conditions"}
			}
			return []string{fmt.Sprintf("%s reported in the last seven days and %s",
				count.Of(*e.EstimatedDevices, "device"), count.Choose(*e.EstimatedDevices, "matches", "match"))}
		}
		return command.Tell(c, lines).
			Found(c.API.EstimateSegmentWithBodyWithResponse(c.Context(), &client.EstimateSegmentParams{}, "application/json", reader))
	})
	cmd.Example = "  waft segments estimate --condition 'platform eq ios'"
	segmentFlags(cmd, "POST /v1/ota/segments/estimate")
	return cmd
}
