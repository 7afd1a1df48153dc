package breadcrumbs

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestTheColumnKeepsBreadcrumbs(t *testing.T) {
	t.Parallel()
	all := []models.Breadcrumb{
		{
			At: time.UnixMilli(253_402_300_799_999).UTC(), Category: "navigation", Message: "\"<漢字>\u2028\x00", Level: models.BreadcrumbDebug,
			Data: models.Texts{{Name: "", Value: "a"}, {Name: "b", Value: ""}},
		},
		{Category: "ui.tap", Level: models.BreadcrumbError},
	}
	require.Equal(t, all, Of(Text(all)))
	require.Empty(t, Text(nil), "most events have none, and take no space")
	require.Nil(t, Of(""))
	require.Nil(t, Of("written by a newer version"))
}
