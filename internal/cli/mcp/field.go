package mcp

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/waft-ota/waft/internal/cli/command"
)

// field is an argument of a tool.
type field struct {
	name, kind, description string
	required                bool
	enum                    []any
	maximum                 float64 // 0 for none
	standard                any     // the value of an omitted argument, nil for none
}

func text(name, description string) field {
	return field{name: name, kind: "string", description: description}
}
func integer(name, description string) field {
	return field{name: name, kind: "integer", description: description}
}
func yesNo(name, description string) field {
	return field{name: name, kind: "boolean", description: description}
}

func choice(name, description string, values ...any) field {
	return field{name: name, kind: "string", description: description, enum: values}
}

func (f field) must() field { f.required = true; return f }

// defaultLimit is the number of records in a list without the argument limit.
const defaultLimit = 20

// limit is the argument of lists.
var limit = field{name: "limit", kind: "integer", description: "Maximum number of records, 20 by default", maximum: 100,
	standard: defaultLimit}

// before is the argument of lists with pages.
var before = integer("before", "Return only records with a lower ID, for the next page")

func id(noun string) field { return integer("id", "ID of the "+noun).must() }

var (
	platform = choice("platform", "Platform of the devices", "ios", "android")
	channel  = text("channel", "Name of the channel, such as production")
	days     = integer("days", "Number of days, including today")
	flag     = text("flag", "Key or ID of the feature flag").must()
	search   = text("search", "Words that the record must contain")
)

// schema returns the schema of a tool's arguments.
func schema(fields []field) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for _, f := range fields {
		p := &jsonschema.Schema{Type: f.kind, Description: f.description, Enum: f.enum}
		switch f.kind {
		case "string":
			p.MinLength, p.MaxLength = new(1), new(500)
		case "integer":
			p.Minimum = new(1.0)
		case "number":
			p.Minimum = new(0.0)
		}
		if f.maximum > 0 {
			p.Maximum = &f.maximum
		}
		s.Properties[f.name] = p
		if f.required {
			s.Required = append(s.Required, f.name)
		}
	}
	return s
}

// argument returns an argument as text. JSON numbers that are whole have no decimals.
func argument(value any) string {
	if number, ok := value.(float64); ok && number == float64(int64(number)) {
		return strconv.FormatInt(int64(number), 10)
	}
	return fmt.Sprint(value)
}

// fill replaces each {name} of a path by the argument, and returns the other arguments.
func fill(ctx context.Context, c command.Call, path string, fields []field, args map[string]any) (filled string,
	rest map[string]any, err error) {
	rest = map[string]any{}
	for _, f := range fields {
		value, given := args[f.name]
		if !given && f.standard != nil {
			value, given = f.standard, true
		}
		if !given {
			continue
		}
		place := "{" + f.name + "}"
		if !strings.Contains(path, place) {
			rest[f.name] = value
			continue
		}
		text := argument(value)
		if f.name == flag.name {
			if text, err = flagID(ctx, c, text); err != nil {
				return "", nil, err
			}
		}
		if strings.Trim(text, ".") == "" {
			return "", nil, fmt.Errorf("%s must not consist of dots", f.name)
		}
		path = strings.ReplaceAll(path, place, url.PathEscape(text))
	}
	return path, rest, nil
}

func flagID(ctx context.Context, c command.Call, keyOrID string) (string, error) {
	found, err := c.API.FindFlag(ctx, keyOrID)
	switch {
	case err != nil:
		return "", err
	case found == nil:
		return "", fmt.Errorf("flag %q does not exist in this project; list_flags lists them", keyOrID)
	}
	return strconv.FormatInt(found.ID, 10), nil
}
