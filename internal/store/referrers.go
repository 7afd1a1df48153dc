package store

import (
	"fmt"
	"strings"
)

// maxReferrers is how many referrers of a kind an error names.
const maxReferrers = 20

// someOf joins names, up to maxReferrers of them.
func someOf(names []string) string {
	if len(names) > maxReferrers {
		return strings.Join(names[:maxReferrers], ", ") + " and others"
	}
	return strings.Join(names, ", ")
}

// namedIDs names some of the records for a person: "update 5, update 6".
func namedIDs(what string, ids []int64) string {
	return someOf(each(ids, func(id int64) string { return fmt.Sprintf("%s %d", what, id) }))
}
