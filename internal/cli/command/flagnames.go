package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waft-ota/waft/client"
)

// fieldOf is the annotation of a flag that names the field that it fills.
const fieldOf = "waft_field"

// fills stores the name of the field that the flag fills, if the field has another name.
func fills(f *pflag.Flag, field string) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[fieldOf] = []string{field}
}

// namingFlags adds the flags that fill the invalid fields of a request to the error that names the fields.
func namingFlags(cmd *cobra.Command, err error) error {
	var refused *client.Error
	if !errors.As(err, &refused) || len(refused.Fields) == 0 {
		return err
	}
	var flags []string
	for _, f := range refused.Fields {
		name := f.Field
		if end := strings.IndexAny(name, ".["); end > 0 {
			name = name[:end]
		}
		if flag := flagFor(cmd, name); flag != "" && !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	if len(flags) == 0 {
		return err
	}
	return fmt.Errorf("%w\n  on the command line: %s", err, strings.Join(flags, ", "))
}

// flagFor returns the command's flag that fills a field, "" for none.
func flagFor(cmd *cobra.Command, field string) (flag string) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		filled := f.Annotations[fieldOf]
		if slices.Contains(filled, field) || len(filled) == 0 && camel(f.Name) == field {
			flag = "--" + f.Name
		}
	})
	return flag
}
