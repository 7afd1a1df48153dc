// Package temporal runs the real Temporal server and its web UI in one process, on
// a database file. The server is compiled in, or, in a build with the tag
// temporalcli, is the one in the Temporal CLI on the PATH.
package temporal

// Namespace is where Waft's workflows run.
const Namespace = "default"

// host is the only address that anything listens on.
const host = "127.0.0.1"

// searchAttributes are the fields by which Waft's workflows can be found, with
// their types.
var searchAttributes = map[string]string{
	"WaftProject": "Keyword",
	"WaftRelease": "Int",
	"WaftStage":   "Int",
	"WaftStatus":  "Keyword",
}
