package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestAPhraseNamesAReleaseByTheFirstLineOfItsNotes(t *testing.T) {
	t.Parallel()
	require.Equal(t, "release “Faster checkout” (#17)", models.ReleasePhrase(17, " Faster checkout \nand more"))
	require.Equal(t, "release 17", models.ReleasePhrase(17, "\n "))
	long := models.ReleasePhrase(17, strings.Repeat("ä", 200))
	require.Equal(t, "release “"+strings.Repeat("ä", 60)+"…” (#17)", long)
}
