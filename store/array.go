package store

import "strings"

var arrayQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// arrayOf is a list as Postgres reads an array of any type; GORM would make a list of
// parameters of a slice.
func arrayOf(list []string) string {
	quoted := make([]string, len(list))
	for i, text := range list {
		quoted[i] = `"` + arrayQuotes.Replace(text) + `"`
	}
	return "{" + strings.Join(quoted, ",") + "}"
}
