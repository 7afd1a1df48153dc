package api

import (
	"testing"

	"github.com/waft-ota/waft/models"
)

const unknownToken = "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// Guesses of a setup link or an invitation cost a query each, so they are bounded like those of API keys.
func TestGuessedTokensAreBounded(t *testing.T) {
	t.Parallel()
	for path, body := range map[string]any{
		"/v1/auth/setup":              map[string]string{"token": unknownToken, "email": jo.Email, "name": "Jo Doe", "password": jo.Password},
		"/v1/auth/invitations/accept": map[string]string{"token": unknownToken, "name": "Sam Roe", "password": jo.Password},
	} {
		w := newTestAPI(t, func(d *parts) { d.Rates.UnknownKeys = 1 })
		guess := request{method: post, path: path, body: body, anonymous: true, header: map[string]string{"Content-Type": "application/json"}}
		for range 10 {
			if answer := w.do(guess); answer.Code == 429 {
				t.Fatal(path, answer.Body.String())
			}
		}
		w.problem(w.do(guess), 429, models.CodeRateLimited)
	}
}
