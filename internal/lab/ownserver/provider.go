package ownserver

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"

	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/op"
	"golang.org/x/text/language"
)

// The provider's only client.
const (
	ClientID     = "waft"
	ClientSecret = "secret"
)

const personsPassword = "secret"

// Provider is a real OpenID Connect provider in this process. People sign in with their names.
type Provider struct {
	// URL is the issuer.
	URL string

	listener net.Listener
	storage  *storage.Storage
	mu       sync.Mutex
	people   map[string]*storage.User
}

// Listen creates a provider without people. Its URL can be passed to a server, but it responds only after Serve is
// called.
func Listen() (*Provider, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // runs as long as the provider
	if err != nil {
		return nil, err
	}
	return &Provider{URL: "http://" + listener.Addr().String(), listener: listener, people: map[string]*storage.User{}}, nil
}

// Serve starts to respond to requests, until Close. callback is the URL to which the client's people are sent back.
func (p *Provider) Serve(callback string) error {
	p.storage = storage.NewStorageWithClients(users{p}, map[string]*storage.Client{
		ClientID: storage.WebClient(ClientID, ClientSecret, callback),
	})
	config := &op.Config{CodeMethodS256: true, SupportedUILocales: []language.Tag{language.English}}
	_, _ = rand.Read(config.CryptoKey[:]) // Read never returns an error
	handler, err := op.NewProvider(config, p.storage, op.StaticIssuer(p.URL), op.WithAllowInsecure(),
		op.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(p.listener, handler) }() //nolint:gosec // ends with Close
	return nil
}

// Close stops the provider.
func (p *Provider) Close() error {
	if err := p.listener.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// Put adds or changes a person with a verified address.
func (p *Provider) Put(name, email string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.people[name] = &storage.User{
		ID: name, Username: name, Password: personsPassword, FirstName: name, LastName: "Doe", Email: email, EmailVerified: true,
	}
}

// SignIn does what the provider's page does when a person signs in, and returns the URL to which the browser goes next.
// authRequest is the authRequestID in the URL of that page.
func (p *Provider) SignIn(name, authRequest string) (next string, err error) {
	if err := p.storage.CheckUsernamePassword(name, personsPassword, authRequest); err != nil {
		return "", fmt.Errorf("%s cannot sign in at the identity provider: %w", name, err)
	}
	return p.URL + "/authorize/callback?id=" + authRequest, nil
}

// users are the people of a provider, in the form that its storage reads.
type users struct{ p *Provider }

// ExampleClientID returns a name that is not a client, because clients do not have accounts of their own.
func (users) ExampleClientID() string { return "service" }

// GetUserByID returns a person, or nil if the person is unknown.
func (u users) GetUserByID(id string) *storage.User {
	u.p.mu.Lock()
	defer u.p.mu.Unlock()
	return u.p.people[id]
}

// GetUserByUsername returns the same as GetUserByID, because a person's ID is the name.
func (u users) GetUserByUsername(name string) *storage.User { return u.GetUserByID(name) }
