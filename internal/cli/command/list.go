package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/cli/terminal"
)

// A List describes a command that lists records of type T.
type List[T any] struct {
	// Use is the name of the command with its arguments, list by default.
	Use, Short, Long, Example string
	// Noun names the records in the plural, such as channels.
	Noun string
	// Path is the path of the list below /v1/ota.
	Path string
	// At returns the path if it depends on the arguments.
	At func(c Call) (string, error)
	// Query returns parameters that depend on the arguments.
	Query func(c Call) map[string]string
	// PageSize is the number of records of a page if the API does not let the client choose it.
	PageSize int64
	// None is the line for an empty list; by default it names the noun.
	None   string
	Header []string
	Row    func(T) []string
	// Lines formats records that do not fit a table.
	Lines   func([]T) []string
	Filters []Filter
	// Limit is the default of --limit, 0 for 50.
	Limit int64
	// Whole marks a list that the API returns as a whole. Its command has no --limit.
	Whole bool
}

// A Filter is a flag of a list that becomes a parameter of its query.
type Filter struct {
	Flag, Usage string
	// Param is the name of the parameter, by default the name of the flag in camel case.
	Param string
	// Values are the only values, nil for any.
	Values []string
	// Find turns the value into the value of the parameter, such as a name into an ID.
	Find func(c Call, value string) (string, error)
	// Default is the value without the flag.
	Default string
}

// defaultLimit is the number of records of a list without --limit.
const defaultLimit int64 = 50

// Command returns the command.
func (l List[T]) Command(s *Settings) *cobra.Command {
	var limit int64
	use := l.Use
	if use == "" {
		use = "list"
	}
	cmd := s.Calling(use, l.Short, func(c Call) error {
		query, err := l.query(c)
		if err != nil {
			return err
		}
		if !l.Whole && limit < 1 {
			return Usagef("--limit must be at least 1, not %d", limit)
		}
		path := l.Path
		if l.At != nil {
			if path, err = l.At(c); err != nil {
				return err
			}
		}
		return l.run(c, path, query, limit)
	})
	cmd.Long, cmd.Example = l.Long, l.Example
	for _, f := range l.Filters {
		cmd.Flags().String(f.Flag, f.Default, f.Usage)
	}
	if !l.Whole {
		cmd.Flags().Int64Var(&limit, "limit", cmp.Or(l.Limit, defaultLimit), "maximum number of "+l.Noun)
	}
	return cmd
}

// query returns the parameters of the list.
func (l List[T]) query(c Call) (url.Values, error) {
	query, err := Query(c, l.Filters)
	if err == nil && l.Query != nil {
		for param, value := range l.Query(c) {
			query.Set(param, value)
		}
	}
	return query, err
}

// Query returns the parameters that the flags of filters set.
func Query(c Call, filters []Filter) (url.Values, error) {
	query := url.Values{}
	for _, f := range filters {
		if err := NotEmpty(c.Command, f.Flag); err != nil {
			return nil, err
		}
		value := c.Flag(f.Flag).Value.String()
		if value == "" {
			continue
		}
		if f.Values != nil && !slices.Contains(f.Values, value) {
			return nil, Usagef("--%s must be %s, not %q", f.Flag, Choice(f.Values), value)
		}
		if f.Find != nil {
			var err error
			if value, err = f.Find(c, value); err != nil {
				return nil, err
			}
		}
		param := f.Param
		if param == "" {
			param = camel(f.Flag)
		}
		if value != "" {
			query.Set(param, value)
		}
	}
	return query, nil
}

// SearchFilter returns the flag --search of a list of records that have words in these fields.
func SearchFilter(noun, fields string) Filter {
	return Filter{Flag: "search", Usage: fmt.Sprintf("list only %s with words that begin with these, in their %s", noun, fields)}
}

// run reads up to limit records, prints them, and says on the standard error if the list has more.
func (l List[T]) run(c Call, path string, query url.Values, limit int64) error {
	var raw []json.RawMessage
	more := false
	first := absolute(path)
	if !l.Whole && l.PageSize == 0 {
		query.Set("limit", strconv.FormatInt(min(limit, ListLimit), 10))
	}
	if len(query) > 0 {
		first += "?" + query.Encode()
	}
	for next := first; next != ""; {
		body, after, err := c.API.CallPage(c.Context(), next)
		if err != nil {
			return err
		}
		var page []json.RawMessage
		if err := json.Unmarshal(body, &page); err != nil {
			return ErrNoRecord
		}
		raw = append(raw, page...)
		next, more = after, after != ""
		if l.Whole || int64(len(raw)) >= limit {
			break
		}
	}
	if !l.Whole && int64(len(raw)) > limit {
		raw, more = raw[:limit], true
	}
	if channel := query.Get("channel"); len(raw) == 0 && channel != "" {
		if err := KnownChannel(c, channel); err != nil {
			return err
		}
	}
	if err := l.print(c, raw); err != nil {
		return err
	}
	if more {
		fmt.Fprintln(c.ErrOrStderr(), terminal.Plain(fmt.Sprintf("more %s exist; --limit %d shows more", l.Noun, 4*limit)))
	}
	return nil
}

func (l List[T]) print(c Call, raw []json.RawMessage) error {
	if c.JSON {
		if raw == nil {
			raw = []json.RawMessage{}
		}
		body, err := json.Marshal(raw)
		if err != nil {
			return err
		}
		return PrintJSON(c.OutOrStdout(), body)
	}
	records := make([]T, len(raw))
	for i, r := range raw {
		if err := json.Unmarshal(r, &records[i]); err != nil {
			return fmt.Errorf("reading the list of %s: %w", l.Noun, err)
		}
	}
	none := l.None
	if none == "" {
		none = "no " + l.Noun
	}
	lines := l.Lines
	if lines == nil {
		lines = Table(c.OutOrStdout(), none, l.Header, l.Row)
	}
	if len(records) == 0 {
		return PrintLines(c.OutOrStdout(), []string{none})
	}
	return PrintLines(c.OutOrStdout(), lines(records))
}

// Choice returns values as a sentence has them: a, b or c.
func Choice(values []string) string {
	if len(values) < 2 {
		return strings.Join(values, "")
	}
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// camel returns the name of a flag as a name of the API: matchType for match-type.
func camel(flag string) string {
	parts := strings.Split(flag, "-")
	for i, part := range parts[1:] {
		if part != "" {
			parts[i+1] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, "")
}
