package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

// required marks flags without which the command makes no sense.
func required(cmd *cobra.Command, names ...string) *cobra.Command {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, name := range names {
			// An empty value is most often a variable that a script did not set.
			if cmd.Flag(name).Value.String() == "" {
				return fmt.Errorf("--%s is missing: %s", name, cmd.Flag(name).Usage)
			}
		}
		return run(cmd, args)
	}
	return cmd
}

// notEmpty refuses flags that were given as "": a script's variable that was not
// set must not mean the same as leaving the flag out.
func notEmpty(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if f := cmd.Flag(name); f.Changed && f.Value.String() == "" {
			return fmt.Errorf("--%s is empty: give a value, or leave it out", name)
		}
	}
	return nil
}

// inFlags says what is wrong with a command in the words of its flags, which are
// named by the fields that they fill.
func inFlags(err error, names map[string]string) error {
	var bad *models.Error
	if !errors.As(err, &bad) || len(bad.Fields) == 0 {
		return err
	}
	texts := make([]string, len(bad.Fields))
	for i, f := range bad.Fields {
		name, ok := names[f.Field]
		if !ok {
			name = f.Field
		}
		texts[i] = name + " " + f.Message
	}
	return errors.New(strings.Join(texts, "; "))
}

// readJSON is what a file holds; - is the standard input.
func readJSON(cmd *cobra.Command, path string) ([]byte, error) {
	var body []byte
	var err error
	if path == "-" {
		path = "the standard input"
		body, err = io.ReadAll(cmd.InOrStdin())
	} else {
		body, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return nil, fmt.Errorf("%s is not JSON: %w", path, err)
	}
	return body, nil
}

// optional is nil for an empty text.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// recordOf reads the id of a record that only its id names.
func recordOf(s *settings, arg, noun, list string) (int64, *client.Waft, error) {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || id < 1 {
		return 0, nil, fmt.Errorf("%q is not the id of a %s; `%s` shows them", arg, noun, list)
	}
	api, err := s.client()
	return id, api, err
}
