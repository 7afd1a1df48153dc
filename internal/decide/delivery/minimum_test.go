package delivery

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestMinimumRuntimeVersion(t *testing.T) {
	t.Parallel()
	cases := []struct {
		minimum, device string
		below           bool
	}{
		{"2.0.0", "1.9.9", true},
		{"2.0.0", "2.0.0", false},
		{"2", "1.9", true},
		{"2", "2.0", false},
		{"2.0.1", "2", true},
		{"1.10", "1.9", true},
		{"1.9", "1.10", false},
		{"2.0.0", "2.0.0-beta.1", true},
		{"2.0.0-beta.1", "2.0.0", false},
		{"2.0.0", "v1.0.0", true},
		{"2.0.0", "01.0.0", true},
		{"2.0.0", "1.0.0.0", false},
		{"2.0.0", "exposdk:50.0.0", false},
		{"2.0.0", "4f1cb2cac2370cd5050681232e8575a8", false},
		{"2.0.0", "", false},
		{"2.0.0", "99999999999999999999999", false},
		{"fingerprint", "1.0.0", false},
		{"", "1.0.0", false},
		{"99999999999999999999999", "1.0.0", false},
	}
	for _, c := range cases {
		t.Run(c.device+" against "+c.minimum, func(t *testing.T) {
			t.Parallel()
			m, err := newMinimumVersion(c.minimum, newRenderer(models.ProjectSnapshot{}, testBaseURL, nil))
			require.NoError(t, err)
			require.Equal(t, c.below, m.below(c.device))
		})
	}
}
