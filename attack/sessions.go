package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// background marks a request that was not caused by a person.
var background = map[string]string{"Waft-Background": "1"}

const (
	// idleLimit is how long a session lasts without a request caused by a person.
	idleLimit = 12 * time.Hour
	// idleFor is how long the attacked session has been idle.
	idleFor = idleLimit - time.Hour
)

// openTab sends the requests of an unattended tab and opens its event stream, an hour before the session would end.
func openTab(ctx context.Context, o *own) (string, error) {
	p, err := o.project(ctx)
	if err != nil {
		return "", err
	}
	who, err := p.member(ctx)
	if err != nil {
		return "", err
	}
	idle := func(lasting time.Duration) error {
		return o.server.Exec(ctx, `UPDATE sessions SET last_seen_at = now() - make_interval(secs => $1)
			WHERE user_id = (SELECT id FROM users WHERE email = $2)`, lasting.Seconds(), who.email)
	}
	if err := idle(idleFor); err != nil {
		return "", err
	}
	list := request{path: "/v1/ota/builds", project: p.slug, header: background}
	if err := who.record(ctx, list, nil); err != nil {
		return "", err
	}
	if err := who.openStream(ctx, p.slug); err != nil {
		return "", err
	}
	var sessions []struct{ LastSeenAt time.Time }
	if err := who.record(ctx, request{path: "/v1/auth/sessions", header: background}, &sessions); err != nil {
		return "", err
	}
	if len(sessions) != 1 {
		return "", fmt.Errorf("a member with one browser has %d sessions", len(sessions))
	}
	if seen := time.Since(sessions[0].LastSeenAt); seen < idleFor {
		return "", broken(fmt.Sprintf("an event stream or a background request counts as use of an idle session, %v ago", seen))
	}
	if err := idle(idleLimit); err != nil {
		return "", err
	}
	a, err := who.send(ctx, list)
	if err := onlyWith(http.StatusUnauthorized, "a session that was idle for 12 h requests the project", a, err); err != nil {
		return "", err
	}
	return "neither its event stream nor requests with Waft-Background: 1 extend the session", nil
}

// openStream opens the project's event stream, and closes it after the first byte.
func (h human) openStream(ctx context.Context, slug string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.url+"/v1/ota/stream", http.NoBody)
	if err != nil {
		return err
	}
	req.Header.Set("X-Project", slug)
	res, err := h.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("an event stream gets %d", res.StatusCode)
	}
	_, err = res.Body.Read(make([]byte, 1))
	return err
}
