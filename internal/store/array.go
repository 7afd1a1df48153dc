package store

import "strings"

var arrayQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// arrayOf is a list as Postgres reads an array of any type: one parameter, however
// long it is. GORM would make a parameter of each element of a slice.
func arrayOf(list []string) string {
	quoted := make([]string, len(list))
	for i, text := range list {
		quoted[i] = `"` + arrayQuotes.Replace(text) + `"`
	}
	return "{" + strings.Join(quoted, ",") + "}"
}
