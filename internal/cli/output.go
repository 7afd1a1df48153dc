package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/cli/terminal"
)

// stamp is the format of times, which are in UTC.
const stamp = "2006-01-02 15:04:05Z"

// errNoRecord is a success without a record.
var errNoRecord = errors.New("the answer has no record; is this a Waft server? See --url (WAFT_URL)")

// jsonFlag adds the flag --json to the command and those below it.
func (s *settings) jsonFlag(cmd *cobra.Command) *cobra.Command {
	cmd.PersistentFlags().BoolVar(&s.json, "json", false, "print the server's answer as JSON, for scripts")
	return cmd
}

// group is a command that only contains others.
func (s *settings) group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		// A mistyped subcommand is an error. Cobra would show help and exit 0.
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(commands...)
	return s.jsonFlag(cmd)
}

// A found is an answer that has status 200 on success, a made one that has 201.
type (
	found[T any] interface {
		GetBody() []byte
		GetJSON200() *T
	}
	made[T any] interface {
		GetBody() []byte
		GetJSON201() *T
	}
)

// teller prints the answer to a call: with --json its body, otherwise lines made from its
// record.
type teller[T any] struct {
	out   io.Writer
	json  bool
	lines func(T) []string
}

func tell[T any](c call, lines func(T) []string) teller[T] {
	return teller[T]{c.OutOrStdout(), c.json, lines}
}

func (t teller[T]) found(a found[T], err error) error {
	if err != nil {
		return err
	}
	return t.print(a.GetBody(), a.GetJSON200())
}

func (t teller[T]) made(a made[T], err error) error {
	if err != nil {
		return err
	}
	return t.print(a.GetBody(), a.GetJSON201())
}

func (t teller[T]) print(body []byte, record *T) error {
	if record == nil {
		return errNoRecord
	}
	if t.json {
		return printJSON(t.out, body)
	}
	return printLines(t.out, t.lines(*record))
}

// done says what a command without an answer did; with --json it prints nothing.
func done(c call, err error, format string, args ...any) error {
	if err != nil || c.json {
		return err
	}
	return printLines(c.OutOrStdout(), []string{fmt.Sprintf(format, args...)})
}

// printJSON prints JSON that a terminal only shows.
func printJSON(out io.Writer, body []byte) error {
	var b bytes.Buffer
	if err := json.Indent(&b, bytes.TrimSpace(body), "", "  "); err != nil {
		return fmt.Errorf("the answer is not JSON: %w", err)
	}
	b.WriteByte('\n')
	_, err := out.Write(terminal.PlainJSON(b.Bytes()))
	return err
}

// printRecord prints a record as one line of JSON.
func printRecord(out io.Writer, record any) error {
	line, err := json.Marshal(record)
	if err != nil {
		return err
	}
	_, err = out.Write(append(terminal.PlainJSON(line), '\n'))
	return err
}

// printLines prints lines that may have texts of devices and of the server.
func printLines(out io.Writer, lines []string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, strings.TrimRight(terminal.Plain(line), " ")); err != nil {
			return err
		}
	}
	return nil
}

// listLimit is the number of records in a list without --limit: the most that the server
// returns at once.
const listLimit int64 = 200

// table is a list with a header, or the text none when the list is empty.
func table[T any](none string, header []string, row func(T) []string) func([]T) []string {
	return func(records []T) []string {
		if len(records) == 0 {
			return []string{none}
		}
		rows := [][]string{header}
		for _, r := range records {
			cells := row(r)
			for i, cell := range cells {
				cells[i] = terminal.Plain(cell) // before it is measured
			}
			rows = append(rows, cells)
		}
		return terminal.Columns(rows)
	}
}

// args requires exactly the named arguments.
func args(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, given []string) error {
		switch {
		case len(given) < len(names):
			return fmt.Errorf("%s is missing: %s", names[len(given)], cmd.UseLine())
		case len(given) > len(names):
			return fmt.Errorf("%q is one argument too many: %s", given[len(names)], cmd.UseLine())
		}
		return nil
	}
}

// say prints a line for people; with --json it prints nothing.
func (s *settings) say(cmd *cobra.Command, line string) error {
	if s.json {
		return nil
	}
	return printLines(cmd.OutOrStdout(), []string{line})
}
