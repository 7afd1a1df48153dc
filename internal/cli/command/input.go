package command

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/models"
)

// Required makes a command return an error if one of the flags is missing.
func Required(cmd *cobra.Command, names ...string) *cobra.Command {
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		for _, name := range names {
			if cmd.Flag(name).Value.String() == "" {
				return Usagef("--%s is missing: %s", name, cmd.Flag(name).Usage)
			}
		}
		return nil
	}
	return cmd
}

// NotEmpty returns an error if a flag is given as "". The value usually comes from a variable that a script did not
// set, and must not count as an omitted flag.
func NotEmpty(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if f := cmd.Flag(name); f.Changed && f.Value.String() == "" {
			return Usagef("--%s is empty: give a value, or leave it out", name)
		}
	}
	return nil
}

// InFlags returns a validation error with each field replaced by the flag that fills it.
func InFlags(err error, flags map[string]string) error {
	var bad *models.Error
	if !errors.As(err, &bad) || len(bad.Fields) == 0 {
		return err
	}
	var texts []string
	for _, f := range bad.Fields {
		texts = append(texts, flags[f.Field]+" "+f.Message)
	}
	return Usagef("%s", strings.Join(texts, "; "))
}

// ReadJSON reads JSON from a file; - reads the standard input.
func ReadJSON(c Call, path string) ([]byte, error) {
	var body []byte
	var err error
	if path == "-" {
		path = "the standard input"
		body, err = io.ReadAll(c.InOrStdin())
	} else {
		body, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return nil, Usagef("%s is not JSON: %w", path, err)
	}
	return body, nil
}

// ReadLine reads one line without its line break. It accepts a last line without a line break.
func ReadLine(from io.Reader) (string, error) {
	line, err := bufio.NewReader(from).ReadString('\n')
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

// Optional returns a pointer to the string, or nil if it is empty.
func Optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
