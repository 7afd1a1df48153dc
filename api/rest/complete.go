package rest

import (
	"errors"
	"fmt"
	"reflect"
)

// Complete returns an error that names each exported field of the struct deps that is a nil interface or function.
// noun is the package that needs them.
func Complete(noun string, deps any) error {
	var errs []error
	value := reflect.ValueOf(deps)
	for i := range value.NumField() {
		field := value.Type().Field(i)
		if kind := field.Type.Kind(); field.IsExported() && (kind == reflect.Interface || kind == reflect.Func) && value.Field(i).IsNil() {
			errs = append(errs, fmt.Errorf("api: %s needs %s", noun, field.Name))
		}
	}
	return errors.Join(errs...)
}
