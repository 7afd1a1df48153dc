package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
)

// privateTargets are addresses that a webhook must not reach: metadata services, private networks, and other names of
// this machine.
var privateTargets = []string{
	"169.254.169.254/latest/meta-data/", "168.63.129.16/machine", "100.100.100.200/latest/meta-data/", "[fd00:ec2::254]/latest/meta-data/",
	"10.0.0.1/", "172.16.0.1/", "192.168.0.1/", "100.64.0.1/", "0.0.0.0/", "[::ffff:169.254.169.254]/", "[fe80::1]/", "2852039166/",
}

// refusals lists parts of the errors for addresses that Waft refuses to connect to. The last one is for an address
// written as a number, which only some resolvers accept.
var refusals = []string{"WAFT_WEBHOOK_ALLOWED_NETWORKS", "is an engine of Waft", "cannot be resolved"}

// privateWebhooks creates webhooks to private addresses and to the engines, and sends each a test message.
func privateWebhooks(ctx context.Context, t *target) (string, error) {
	p, err := t.project(ctx)
	if err != nil {
		return "", err
	}
	targets := append([]string{}, privateTargets...)
	for _, engine := range []string{t.clickHouse, t.temporalUI, t.temporal} {
		if engine != "" {
			targets = append(targets, hostPort(engine)+"/")
		}
	}
	for _, own := range ownAddresses() {
		targets = append(targets, net.JoinHostPort(own, "80")+"/")
	}
	for _, address := range targets {
		if err := p.webhookTo(ctx, "http://"+address); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("none of %d private, metadata and engine addresses is connected to", len(targets)), nil
}

// webhookTo returns a broken if Waft connects to the address.
func (p *project) webhookTo(ctx context.Context, address string) error {
	var hook struct{ ID int64 }
	a, err := p.send(ctx, request{path: "/v1/ota/webhooks", key: p.key, project: p.slug, body: object{"url": address, "events": []string{"*"}}})
	if err != nil || a.status == 400 {
		return err // refused immediately
	}
	if err := into(a, &hook); err != nil {
		return err
	}
	if err := p.call(ctx, request{method: "POST", path: fmt.Sprintf("/v1/ota/webhooks/%d/test", hook.ID)}, nil); err != nil {
		return err
	}
	type delivery struct {
		Attempts []struct{ Error string }
	}
	var made []delivery
	err = eventually(ctx, "no attempted delivery to "+address, func() (bool, error) {
		err := p.call(ctx, request{path: fmt.Sprintf("/v1/ota/webhooks/%d/deliveries", hook.ID)}, &made)
		return len(made) > 0 && len(made[0].Attempts) > 0, err
	})
	if err != nil {
		return err
	}
	why := made[0].Attempts[0].Error
	if !slices.ContainsFunc(refusals, func(refusal string) bool { return strings.Contains(why, refusal) }) {
		return broken(fmt.Sprintf("%s is connected to: %q", address, why))
	}
	return p.call(ctx, request{method: "DELETE", path: fmt.Sprintf("/v1/ota/webhooks/%d", hook.ID)}, nil)
}

// ownAddresses returns this machine's addresses without its loopback and link-local addresses.
func ownAddresses() (own []string) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil // without them, these addresses are not attacked
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() {
			own = append(own, n.IP.String())
		}
	}
	return own
}
