package config

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/caarlos0/env/v11"
)

// unreadable returns an error for each variable whose value is not of its type, and removes
// these variables from vars. Other errors of the parser are returned as they are.
func unreadable(parsed error, vars map[string]string) []error {
	var all env.AggregateError
	if !errors.As(parsed, &all) {
		return []error{parsed}
	}
	var errs []error
	for _, err := range all.Errors {
		var bad env.ParseError
		name := ""
		if errors.As(err, &bad) {
			name = variableOf(bad.Name)
		}
		if name == "" {
			errs = append(errs, err)
			continue
		}
		errs = append(errs, fmt.Errorf("%s must be %s, not %q", name, formOf(bad.Type), vars[name]))
		delete(vars, name)
	}
	return errs
}

// variableOf returns the variable of a field of Config, "" when there is none.
func variableOf(field string) string {
	for _, v := range Variables() {
		if v.field == field {
			return v.Name
		}
	}
	return ""
}

// formOf describes how to write a value of the type.
func formOf(t reflect.Type) string {
	if t == reflect.TypeFor[time.Duration]() {
		return "a duration such as 20s or 1h30m"
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	default:
		return "a " + t.String()
	}
}
