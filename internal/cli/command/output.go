package command

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

// Stamp is the format of times. They are in UTC.
const Stamp = "2006-01-02 15:04:05Z"

// ErrNoRecord is the error for a successful response without a record.
var ErrNoRecord = errors.New("the response has no record; " + NotWaft)

// NotWaft is the end of messages about a response that another server sent.
const NotWaft = "the response does not come from Waft: check --url (WAFT_URL), " +
	"and whether a proxy or a sign-in page of the network is in between"

// Group returns a command that only contains other commands.
func (s *Settings) Group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		// Without Args, cobra would show the help and exit with 0 for a mistyped subcommand.
		Args: NoSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(commands...)
	return cmd
}

// A Found is a response with status 200 on success. A Made is a response with status 201 on success.
type (
	Found[T any] interface {
		GetBody() []byte
		GetJSON200() *T
	}
	Made[T any] interface {
		GetBody() []byte
		GetJSON201() *T
	}
)

// Teller prints the response to a call: its body with --json, otherwise lines built from its record.
type Teller[T any] struct {
	out   io.Writer
	json  bool
	lines func(T) []string
}

// Tell returns a Teller for the output of the call.
func Tell[T any](c Call, lines func(T) []string) Teller[T] {
	return Teller[T]{c.OutOrStdout(), c.JSON, lines}
}

// Found prints a response of status 200.
func (t Teller[T]) Found(a Found[T], err error) error {
	if err != nil {
		return err
	}
	return t.Print(a.GetBody(), a.GetJSON200())
}

// Made prints a response of status 201.
func (t Teller[T]) Made(a Made[T], err error) error {
	if err != nil {
		return err
	}
	return t.Print(a.GetBody(), a.GetJSON201())
}

// Print prints the body, or the lines of the record.
func (t Teller[T]) Print(body []byte, record *T) error {
	if record == nil {
		return ErrNoRecord
	}
	if t.json {
		return PrintJSON(t.out, body)
	}
	return PrintLines(t.out, t.lines(*record))
}

// Done prints a line for a command whose response has no record. With --json the line is the field message of an object.
func Done(c Call, err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	line := fmt.Sprintf(format, args...)
	if c.JSON {
		return PrintRecord(c.OutOrStdout(), map[string]string{"message": line})
	}
	return PrintLines(c.OutOrStdout(), []string{line})
}

// PrintJSON prints indented JSON, with control characters escaped.
func PrintJSON(out io.Writer, body []byte) error {
	var b bytes.Buffer
	if err := json.Indent(&b, bytes.TrimSpace(body), "", "  "); err != nil {
		return fmt.Errorf("the response is not JSON: %w", err)
	}
	b.WriteByte('\n')
	_, err := out.Write(terminal.PlainJSON(b.Bytes()))
	return err
}

// PrintRecord prints a record as one line of JSON.
func PrintRecord(out io.Writer, record any) error {
	line, err := json.Marshal(record)
	if err != nil {
		return err
	}
	_, err = out.Write(append(terminal.PlainJSON(line), '\n'))
	return err
}

// PrintLines prints lines that may contain strings from devices and from the server.
func PrintLines(out io.Writer, lines []string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, strings.TrimRight(terminal.Plain(line), " ")); err != nil {
			return err
		}
	}
	return nil
}

// ListLimit is the number of records in a list without --limit. It is the maximum that the server returns in one
// response.
const ListLimit int64 = 200

// Args returns a check that a command gets exactly the named arguments.
func Args(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, given []string) error {
		switch {
		case len(given) < len(names):
			return Usagef("%s is missing: %s", names[len(given)], cmd.UseLine())
		case len(given) > len(names):
			return Usagef("unexpected argument %q: %s", given[len(names)], cmd.UseLine())
		}
		return nil
	}
}

// NoSubcommand returns an error for an argument where only a subcommand can stand.
func NoSubcommand(cmd *cobra.Command, given []string) error {
	if len(given) == 0 {
		return nil
	}
	err := fmt.Sprintf("unknown command %q for %q", given[0], cmd.CommandPath())
	cmd.SuggestionsMinimumDistance = 2 // as cobra does for the root
	if similar := cmd.SuggestionsFor(given[0]); len(similar) > 0 {
		err += "; similar: " + strings.Join(similar, ", ")
	}
	return Usagef("%s; `%s --help` lists the commands", err, cmd.CommandPath())
}

// Say prints a line for people. With --json it prints nothing.
func (s *Settings) Say(cmd *cobra.Command, line string) error {
	if s.JSON {
		return nil
	}
	return PrintLines(cmd.OutOrStdout(), []string{line})
}
