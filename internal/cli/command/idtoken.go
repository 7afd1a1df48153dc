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

// Variables of a CI job that lead to its id token.
const (
	VarIDToken      = "WAFT_ID_TOKEN"
	varRequestURL   = "ACTIONS_ID_TOKEN_REQUEST_URL" // of GitHub Actions, in a job with the permission id-token: write
	varRequestToken = "ACTIONS_ID_TOKEN_REQUEST_TOKEN"
)

const (
	// maxIDToken bounds an id token, in bytes, as the server does.
	maxIDToken = 16 << 10
	// idTokenTimeout bounds the request for one.
	idTokenTimeout = 30 * time.Second
)

// idTokenAtHand reports whether the environment leads to an id token.
func idTokenAtHand() bool { return os.Getenv(VarIDToken) != "" || os.Getenv(varRequestURL) != "" }

// ReadIDToken reads the file of --id-token; "" is none.
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
		return "", fmt.Errorf("%s is empty: it must have the id token of the job", from)
	case len(text) > maxIDToken:
		return "", fmt.Errorf("%s has more than %d bytes, so it is no id token", from, maxIDToken)
	case strings.Count(text, ".") != 2 || strings.ContainsAny(text, " \t\r\n"):
		return "", fmt.Errorf("%s has no id token: that is three texts with dots between them", from)
	}
	return text, nil
}

// Exchange gets a key for an id token; for "" it takes that of the environment. The audience is the server's address unless
// it is given.
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
		return nil, fmt.Errorf("%w\nthe project's trusted publishers must have the token's issuer, audience and claims; "+
			"each token is exchanged once", err)
	}
	if err != nil {
		return nil, err
	}
	if answer.JSON201 == nil {
		return nil, ErrNoRecord
	}
	return answer, nil
}

// environmentIDToken is the id token that the job's environment has or leads to.
func environmentIDToken(ctx context.Context, audience string) (string, error) {
	if token := os.Getenv(VarIDToken); token != "" {
		return checkIDToken(token, VarIDToken)
	}
	address := os.Getenv(varRequestURL)
	if address == "" {
		return "", fmt.Errorf("there is no id token: give --id-token, set %s, or in GitHub Actions give the job the permission id-token: write",
			VarIDToken)
	}
	return requestIDToken(ctx, address, os.Getenv(varRequestToken), audience)
}

// requestIDToken asks GitHub Actions for an id token.
func requestIDToken(ctx context.Context, address, bearer, audience string) (string, error) {
	at, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("%s is no URL", varRequestURL)
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
			err = failed.Err // without the URL, which is a secret of the job
		}
		return "", fmt.Errorf("GitHub Actions did not answer with an id token: %w", err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 2*maxIDToken))
	if err != nil || answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("GitHub Actions did not answer with an id token: %s", answer.Status)
	}
	var made struct {
		Value string `json:"value"`
	}
	if err := json.Unmarshal(body, &made); err != nil {
		return "", errors.New("GitHub Actions did not answer with an id token")
	}
	return checkIDToken(made.Value, "the answer of GitHub Actions")
}
