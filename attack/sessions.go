package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// background marks a request that no person caused.
var background = map[string]string{"Waft-Background": "1"}

const (
	// idleLimit is how long a session lasts without a request that a person caused.
	idleLimit = 12 * time.Hour
	// idleFor is how long the attacked session has been idle.
	idleFor = idleLimit - time.Hour
)

// openTab sends what a tab sends that nobody looks at, and opens its stream, an hour before the session ends.
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
		return "", fmt.Errorf("a person with one browser has %d sessions", len(sessions))
	}
	if seen := time.Since(sessions[0].LastSeenAt); seen < idleFor {
		return "", broken(fmt.Sprintf("a stream or a request in the background counts as a use of an idle session, %v ago", seen))
	}
	if err := idle(idleLimit); err != nil {
		return "", err
	}
	a, err := who.send(ctx, list)
	if err := onlyWith(http.StatusUnauthorized, "a session that was idle for 12 h asks for the project", a, err); err != nil {
		return "", err
	}
	return "neither its stream nor requests with Waft-Background: 1 extend it", nil
}

// openStream opens the stream of a project, and closes it after its first bytes.
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
		return fmt.Errorf("a stream gets %d", res.StatusCode)
	}
	_, err = res.Body.Read(make([]byte, 1))
	return err
}
