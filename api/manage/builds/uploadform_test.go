package builds

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

var runningUUID = uuid.MustParse("bbbbbbbb-2222-4333-8444-555555555555")

func TestAnUploadSaysWhatBinaryItIsFrom(t *testing.T) {
	t.Parallel()
	u := uploadForm{fields: map[string]string{"platform": "ios", "runtimeVersion": "1", "embeddedUpdateId": runningUUID.String()}}
	n := u.described()
	require.Equal(t, runningUUID.String(), n.EmbeddedUpdateID)
	require.NoError(t, n.ValidateFields())
	u.fields["embeddedUpdateId"] = "nonsense"
	require.ErrorContains(t, u.described().ValidateFields(), "embeddedUpdateId")
	require.Equal(t, &runningUUID, BuildRecord(models.Build{EmbeddedUpdateID: &runningUUID}).EmbeddedUpdateID)
}
