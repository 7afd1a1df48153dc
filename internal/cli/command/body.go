package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A Body is the JSON of a request that a command builds from --file and from its flags.
type Body struct {
	fields map[string]any
	flags  []string
}

// FileFlag adds the flag --file, for the whole body of a request.
func FileFlag(cmd *cobra.Command, operation string) {
	cmd.Flags().String("file", "", "JSON file with the fields of "+operation+", documented at /docs; "+
		"- reads the standard input; other flags replace its fields")
}

// BodyOf returns the fields of --file, if the command has the flag, and the fields of the flags that are set. A name is the name of a
// flag, whose field is the same name in camel case, or flag=field. With a ? behind it, an empty value clears the field.
func BodyOf(c Call, names ...string) (Body, error) {
	b := Body{fields: map[string]any{}}
	if f := c.Flags().Lookup("file"); f != nil && f.Value.String() != "" {
		text, err := ReadJSON(c, f.Value.String())
		if err != nil {
			return b, err
		}
		if err := json.Unmarshal(text, &b.fields); err != nil || b.fields == nil { // nil after null
			return b, Usagef("--file must contain a JSON object")
		}
	}
	for _, name := range names {
		name, clearing := strings.CutSuffix(name, "?")
		flag, field, named := strings.Cut(name, "=")
		if !named {
			field = camel(flag)
		}
		b.flags = append(b.flags, "--"+flag)
		f := c.Flag(flag)
		fills(f, field)
		if !f.Changed {
			continue
		}
		value, err := flagValue(c.Flags(), f)
		if err != nil {
			return b, err
		}
		if clearing && value == "" {
			value = nil
		}
		b.fields[field] = value
	}
	return b, nil
}

// Set sets a field.
func (b Body) Set(field string, value any) { b.fields[field] = value }

// Empty reports whether no field is set.
func (b Body) Empty() bool { return len(b.fields) == 0 }

// Has reports whether a field is set.
func (b Body) Has(field string) bool {
	_, has := b.fields[field]
	return has
}

// Field returns the value of a field, nil for null and for a field that is not set.
func (b Body) Field(field string) any { return b.fields[field] }

// Changes returns the body of a change, or a usage error if it has no field.
func (b Body) Changes(c Call) (io.Reader, error) {
	if b.Empty() {
		flags := b.flags
		if c.Flags().Lookup("file") != nil {
			flags = append(flags, "--file")
		}
		return nil, Usagef("nothing to change: use %s", Choice(flags))
	}
	return b.Reader()
}

// Reader returns the body as JSON.
func (b Body) Reader() (io.Reader, error) {
	return JSONReader(b.fields)
}

// MarshalJSON returns the body as JSON.
func (b Body) MarshalJSON() ([]byte, error) { return json.Marshal(b.fields) }

// JSONReader returns a value as JSON.
func JSONReader(value any) (io.Reader, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return bytes.NewReader(text), nil
}

// flagValue returns the value of a flag in its type.
func flagValue(flags *pflag.FlagSet, f *pflag.Flag) (any, error) {
	switch f.Value.Type() {
	case "string":
		return f.Value.String(), nil
	case "bool":
		return flags.GetBool(f.Name)
	case "int64":
		return flags.GetInt64(f.Name)
	case "float64":
		return flags.GetFloat64(f.Name)
	case "stringArray":
		return flags.GetStringArray(f.Name)
	case "stringSlice":
		return flags.GetStringSlice(f.Name)
	case "int64Slice":
		return flags.GetInt64Slice(f.Name)
	}
	return nil, fmt.Errorf("the flag --%s has the type %s, which a body cannot have", f.Name, f.Value.Type())
}
