package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/waft-ota/waft/internal/lab/mailserver"
	"github.com/waft-ota/waft/internal/lab/ownserver"
)

// own is a server that the suite started for itself. It trusts the suite as a proxy, so the suite can choose the
// network of a request with X-Forwarded-For. The embedded target is an API that does not send mail, so it returns the
// links of invitations in its responses.
type own struct {
	*target
	server *ownserver.Server
	// mailing is another API of the same installation. It sends its mail to mails.
	mailing  *target
	mails    *mailserver.Server
	provider *ownserver.Provider
}

// providerID is the ID of the identity provider in WAFT_OIDC_PROVIDERS.
const providerID = "idp"

// startOwn starts a server on the development engines. It returns a skipped if an engine or the waftd program is not
// set.
func (t *target) startOwn(ctx context.Context) (*own, error) {
	for name, value := range map[string]string{
		"DATABASE_URL": t.database, "CLICKHOUSE_URL": t.clickHouse, "TEMPORAL_ADDRESS": t.temporal,
	} {
		if value == "" || !onThisMachine(value) {
			return nil, skipped(name + " does not name a development engine on this machine")
		}
	}
	switch {
	case t.waftd == "":
		return nil, skipped("WAFT_SERVER does not name a waftd program")
	case !strings.HasPrefix(t.clickHouse, "http"):
		return nil, skipped("CLICKHOUSE_URL is not an HTTP address")
	}
	o := &own{}
	if err := o.begin(ctx, t); err != nil {
		return nil, errors.Join(err, o.end())
	}
	return o, nil
}

// begin starts the server, the mail server and the identity provider.
func (o *own) begin(ctx context.Context, t *target) (err error) {
	if o.provider, err = ownserver.Listen(); err != nil {
		return err
	}
	if o.mails, err = mailserver.Start(); err != nil {
		return err
	}
	engines := ownserver.Engines{DatabaseURL: t.database, ClickHouseURL: t.clickHouse, TemporalAddress: t.temporal}
	if o.server, err = ownserver.Prepare(ctx, t.waftd, engines); err != nil {
		return err
	}
	providers, err := json.Marshal([]object{{
		"id": providerID, "name": "Identity provider", "issuer": o.provider.URL,
		"clientId": ownserver.ClientID, "clientSecret": ownserver.ClientSecret,
	}})
	if err != nil {
		return err
	}
	withProvider := map[string]string{"WAFT_TRUSTED_PROXIES": "127.0.0.1/32", "WAFT_OIDC_PROVIDERS": string(providers)}
	if o.target, err = o.start(ctx, t, "api", withProvider); err != nil {
		return err
	}
	// The base URL is only the first part of links in mails. A server at that address is not needed.
	withMail := map[string]string{
		"WAFT_TRUSTED_PROXIES": "127.0.0.1/32", "WAFT_SMTP_URL": o.mails.URL(), "WAFT_BASE_URL": "http://localhost:4321",
	}
	if o.mailing, err = o.start(ctx, t, "serve", withMail); err != nil {
		return err
	}
	return o.provider.Serve(o.url + "/v1/auth/oidc/" + providerID + "/callback")
}

func (o *own) start(ctx context.Context, t *target, role string, settings map[string]string) (*target, error) {
	url, err := o.server.Start(ctx, role, settings)
	if err != nil {
		return nil, err
	}
	return &target{url: url, rootKey: o.server.RootKey, http: t.http, projects: &slugs{}}, nil
}

// end stops everything that startOwn started, even if startOwn failed halfway.
func (o *own) end() (err error) {
	if o.server != nil {
		err = o.server.End()
	}
	if o.mails != nil {
		err = errors.Join(err, o.mails.Close())
	}
	if o.provider != nil {
		err = errors.Join(err, o.provider.Close())
	}
	return err
}

// elsewhere returns the project as another API of the installation serves it.
func (p *project) elsewhere(t *target) *project { return &project{target: t, slug: p.slug, key: p.key} }

// onlyWith returns a broken if the response does not have the status of the expected refusal.
func onlyWith(status int, what string, a answer, err error) error {
	if err == nil && a.status != status {
		err = broken(fmt.Sprintf("%s, and gets %d", what, a.status))
	}
	return err
}

// late reports whether an attack used up all of its time, as opposed to being interrupted.
func late(err error) bool { return errors.Is(err, context.DeadlineExceeded) }

// succeeded reports whether the response has a status of success.
func (a answer) succeeded() bool {
	return a.status >= http.StatusOK && a.status < http.StatusMultipleChoices
}
