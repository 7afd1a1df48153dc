package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

// Environment variables of a CI job from which waft gets an ID token.
const (
	VarIDToken      = "WAFT_ID_TOKEN"
	varRequestURL   = "ACTIONS_ID_TOKEN_REQUEST_URL" // set by GitHub Actions in a job with the permission id-token: write
	varRequestToken = "ACTIONS_ID_TOKEN_REQUEST_TOKEN"
)

const (
	// maxIDToken is the maximum size of an ID token in bytes, as in the server.
	maxIDToken = 16 << 10
	// idTokenTimeout is the time limit of the request for an ID token.
	idTokenTimeout = 30 * time.Second
)

// idTokenAtHand reports whether the environment has an ID token or a URL to request one from.
func idTokenAtHand() bool { return os.Getenv(VarIDToken) != "" || os.Getenv(varRequestURL) != "" }

// withoutCredentials returns an error with the fix. A CI job usually has the ID token that its settings forget.
func withoutCredentials(env func(string) string) error {
	switch {
	case env("GITHUB_ACTIONS") == "true":
		return errors.New("the job has neither an ID token nor WAFT_API_KEY: give the job the permission `id-token: write`. " +
			"GitHub does not issue ID tokens for pull requests from forks")
	case env("GITLAB_CI") == "true":
		return errors.New("the job has neither an ID token nor WAFT_API_KEY: add WAFT_ID_TOKEN to the `id_tokens` of the job")
	}
	return errors.New("no API key: set WAFT_API_KEY, use --api-key, or sign in with `waft login`")
}

// ReadIDToken reads the file of --id-token. It returns "" if the flag is not set.
func ReadIDToken(cmd *cobra.Command, file string) (string, error) {
	if file == "" {
		return "", NotEmpty(cmd, "id-token")
	}
	in := cmd.InOrStdin()
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return "", err
		}
		defer opened.Close()
		in = opened
	}
	text, err := io.ReadAll(io.LimitReader(in, maxIDToken+2))
	if err != nil {
		return "", err
	}
	return checkIDToken(string(text), "--id-token")
}

func checkIDToken(text, from string) (string, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", fmt.Errorf("%s is empty: it must contain the ID token of the job", from)
	case len(text) > maxIDToken:
		return "", fmt.Errorf("%s is larger than %d bytes, so it is not an ID token", from, maxIDToken)
	case strings.Count(text, ".") != 2 || strings.ContainsAny(text, " \t\r\n"):
		return "", fmt.Errorf("%s does not contain an ID token: expected three parts separated by dots", from)
	}
	return text, nil
}

// Exchange exchanges an ID token for a key. If token is "", it uses the environment's ID token. The audience defaults
// to the server's address.
func (s *Settings) Exchange(ctx context.Context, token, audience string) (*client.ExchangeTokenResponse, error) {
	var err error
	if token == "" {
		token, err = environmentIDToken(ctx, cmp.Or(audience, strings.TrimRight(s.URL, "/")))
	}
	if err != nil {
		return nil, err
	}
	api, err := client.New(s.URL, client.Credentials{Project: s.Project})
	if err != nil {
		return nil, err
	}
	answer, err := api.ExchangeTokenWithResponse(ctx, client.ExchangeTokenBody{ProjectSlug: s.Project, IDToken: token})
	if client.CodeOf(err) == models.CodeUnauthenticated {
		return nil, fmt.Errorf("%w\na trusted publisher of the project must match the token's issuer, audience and claims; "+
			"each token works only once", err)
	}
	if err != nil {
		return nil, err
	}
	if answer.JSON201 == nil {
		return nil, ErrNoRecord
	}
	return answer, nil
}

// environmentIDToken returns the ID token of the job's environment, or requests one from GitHub Actions.
func environmentIDToken(ctx context.Context, audience string) (string, error) {
	if token := os.Getenv(VarIDToken); token != "" {
		return checkIDToken(token, VarIDToken)
	}
	address := os.Getenv(varRequestURL)
	if address == "" {
		return "", fmt.Errorf("the ID token is missing: use --id-token, set %s, or in GitHub Actions give the job the permission id-token: write",
			VarIDToken)
	}
	return requestIDToken(ctx, address, os.Getenv(varRequestToken), audience)
}

// requestIDToken requests an ID token from GitHub Actions.
func requestIDToken(ctx context.Context, address, bearer, audience string) (string, error) {
	at, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("%s is not a URL", varRequestURL)
	}
	query := at.Query()
	query.Set("audience", audience)
	at.RawQuery = query.Encode()
	ctx, cancel := context.WithTimeout(ctx, idTokenTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+bearer)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err // the URL is a secret of the job
		}
		return "", fmt.Errorf("GitHub Actions did not return an ID token: %w", err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 2*maxIDToken))
	if err != nil || answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("GitHub Actions did not return an ID token: %s", answer.Status)
	}
	var made struct {
		Value string `json:"value"`
	}
	if err := json.Unmarshal(body, &made); err != nil {
		return "", errors.New("GitHub Actions did not return an ID token")
	}
	return checkIDToken(made.Value, "the response of GitHub Actions")
}
