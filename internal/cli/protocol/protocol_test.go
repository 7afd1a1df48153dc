package protocol

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestARefusalShowsTheDetailOfTheProblem(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"status": 404, "detail": "channel \"live\" does not exist"}`: `channel "live" does not exist`,
		"<html>not here": "<html>not here",
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(body)) // the test sees what is missing
		}))
		t.Cleanup(s.Close)
		_, err := Ask(t.Context(), s.Client(), Question{URL: s.URL, Platform: models.IOS, RuntimeVersion: "1.0.0"})
		var refused *RefusedError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, want, refused.Text)
	}
}
