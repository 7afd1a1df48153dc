package terminal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAHelpTextFitsTheTerminal(t *testing.T) {
	t.Parallel()
	const text = `DIR is the output of the export, with its bundles.
Source maps are uploaded too.

Usage:
  waft publish [DIR] [flags] that is long and stays

Examples:
  waft publish dist  --channel production --policy careful

Available Commands:
  add-embedded Upload the bundle inside an app
  list         List the builds

Flags:
      --app string   folder of the app, for the export and for the default
  -h, --help         help for publish
`
	require.Equal(t, text, Reflow(text, 0), "not a terminal")
	require.Equal(t, text, Reflow(text, 100))
	require.Equal(t, `DIR is the output of the export, with its
bundles. Source maps are uploaded too.

Usage:
  waft publish [DIR] [flags] that is long and stays

Examples:
  waft publish dist  --channel production --policy careful

Available Commands:
  add-embedded Upload the bundle inside
               an app
  list         List the builds

Flags:
      --app string   folder of the app,
                     for the export and
                     for the default
  -h, --help         help for publish
`, Reflow(text, 41))
}
