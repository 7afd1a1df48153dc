package store

import "strings"

var arrayQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// arrayOf returns the list as the text of a Postgres array of any type, so that it is
// one parameter. GORM would make each element of a slice a parameter.
func arrayOf(list []string) string {
	quoted := make([]string, len(list))
	for i, text := range list {
		quoted[i] = `"` + arrayQuotes.Replace(text) + `"`
	}
	return "{" + strings.Join(quoted, ",") + "}"
}
