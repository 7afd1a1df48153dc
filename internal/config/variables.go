package config

import (
	"log/slog"
	"net/url"
	"reflect"
)

// Variable describes one environment variable of the server.
type Variable struct {
	Name     string
	Required bool
	Default  string
	Doc      string

	// Secret reports whether the value is a secret or contains one, such as a password in a URL.
	Secret bool

	field  string
	secret string
}

// Variables returns every environment variable that the server reads.
func Variables() []Variable {
	var vars []Variable
	for f := range reflect.TypeFor[Config]().Fields() {
		vars = append(vars, Variable{
			Name:     f.Tag.Get("env"),
			Required: f.Tag.Get("required") == "true",
			Default:  f.Tag.Get("envDefault"),
			Doc:      f.Tag.Get("doc"),
			Secret:   f.Tag.Get("secret") != "",
			field:    f.Name,
			secret:   f.Tag.Get("secret"),
		})
	}
	return vars
}

// LogValue returns every setting. For a secret it returns only whether the secret is set. It omits the password and the query of
// URLs.
func (c Config) LogValue() slog.Value {
	var attrs []slog.Attr
	for _, v := range Variables() {
		field := reflect.ValueOf(c).FieldByName(v.field)
		switch v.secret {
		case "true", "list":
			attrs = append(attrs, slog.Bool(v.Name, !field.IsZero()))
		case "url":
			attrs = append(attrs, slog.String(v.Name, redactURL(field.String())))
		default:
			attrs = append(attrs, slog.Any(v.Name, field.Interface()))
		}
	}
	return slog.GroupValue(attrs...)
}

// redactURL hides the password and removes the query, which may contain credentials.
func redactURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "(unparsable)"
	}
	u.RawQuery = ""
	return u.Redacted()
}
