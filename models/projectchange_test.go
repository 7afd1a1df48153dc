package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestParseStreamPosition(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"7:7:/7:7:/0", "7:9:7,8/8:20:9,9,19/12", "7:7:/7:7:/0/40"} {
		p, ok := models.ParseStreamPosition(text)
		require.True(t, ok, text)
		require.Equal(t, text, p.String())
	}
	for _, text := range []string{
		"", "7", "7:7:", "7:7:/7:7:", "7:7:/7:7:/", "7:7:/7:7:/-1", "7:7:/7:7:/x", "7:7:/7:7:/0/0", "7:7:/7:7:/0/x", "7:7:/7:7:/0/5/5",
		"0:7:/7:7:/0",
		"9:7:/7:7:/0", "7:7/7:7:/0",
		"7:9:9/7:7:/0", "7:9:6/7:7:/0", "7:9:8,7/7:7:/0", "7:9:,/7:7:/0", "7:9:8,/7:7:/0", "99999999999999999999:99999999999999999999:/7:7:/0",
		"7:7:/7:7:/0\n", "7:9:" + strings.Repeat("7,", 20_000) + "7/7:9:/0",
	} {
		_, ok := models.ParseStreamPosition(text)
		require.False(t, ok, "%.60q", text)
	}
}
