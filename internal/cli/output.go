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

// stamp is how a time is written: always UTC, and says so.
const stamp = "2006-01-02 15:04:05Z"

// errNoRecord is a success without what was asked for.
var errNoRecord = errors.New("the answer holds no record; is this a Waft server? See --url (WAFT_URL)")

// jsonFlag gives the command, and those below it, the flag --json.
func (s *settings) jsonFlag(cmd *cobra.Command) *cobra.Command {
	cmd.PersistentFlags().BoolVar(&s.json, "json", false, "print the server's answer as JSON, for scripts")
	return cmd
}

// group is a command that only holds others.
func (s *settings) group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		// A mistyped subcommand is an error, not a reason to show help and exit 0.
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(commands...)
	return s.jsonFlag(cmd)
}

// A found is the answer to a call that succeeds with status 200, a made one that
// succeeds with 201.
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

// teller prints the answer to a call: with --json its body as the server wrote it,
// else the lines made of its record.
type teller[T any] struct {
	out   io.Writer
	json  bool
	lines func(T) []string
}

func tell[T any](cmd *cobra.Command, s *settings, lines func(T) []string) teller[T] {
	return teller[T]{cmd.OutOrStdout(), s.json, lines}
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

// done says what a command without an answer did; with --json nothing.
func done(cmd *cobra.Command, s *settings, err error, format string, args ...any) error {
	if err != nil || s.json {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), format+"\n", args...)
	return err
}

func printJSON(out io.Writer, body []byte) error {
	var b bytes.Buffer
	if err := json.Indent(&b, bytes.TrimSpace(body), "", "  "); err != nil {
		return fmt.Errorf("the answer is not JSON: %w", err)
	}
	b.WriteByte('\n')
	_, err := b.WriteTo(out)
	return err
}

func printLines(out io.Writer, lines []string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

// listLimit is how many records a list without a --limit of its own asks for: the
// most that the server gives at once.
const listLimit int64 = 200

// table is a list under its header; in words when the list is empty, which a
// header alone would leave in doubt.
func table[T any](none string, header []string, row func(T) []string) func([]T) []string {
	return func(records []T) []string {
		if len(records) == 0 {
			return []string{none}
		}
		rows := [][]string{header}
		for _, r := range records {
			rows = append(rows, row(r))
		}
		return terminal.Columns(rows)
	}
}

// args wants exactly the arguments named, and says which one is missing.
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

// orDash is what stands for nothing in a table.
func orDash[T any](v *T) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(*v)
}

// oneLine is text without line ends, and not longer than width letters.
func oneLine(text string, width int) string {
	text = strings.Join(strings.Fields(text), " ")
	if letters := []rune(text); len(letters) > width {
		return string(letters[:width-1]) + "…"
	}
	return text
}

// words is a name of the wire as people write it: rolled back for rolled_back.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }
