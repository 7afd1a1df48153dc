package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// costlyPatterns adds a rule with a pattern that compiles to megabytes, then rules with the largest patterns that are
// accepted, and evaluates them without a key. It decides by the server's responses, not by the time that they take.
func costlyPatterns(ctx context.Context, t *target) (string, error) {
	const most = 20
	p, err := t.project(ctx)
	if err != nil {
		return "", err
	}
	var flag struct{ ID int64 }
	body := object{"name": "Costly", "key": "costly", "flagType": "boolean", "defaultValue": false}
	if err := p.call(ctx, request{path: "/v1/ota/flags", body: body}, &flag); err != nil {
		return "", err
	}
	add := func(pattern string) (int, error) {
		a, err := p.send(ctx, request{path: fmt.Sprintf("/v1/ota/flags/%d/rules", flag.ID), key: p.key, project: p.slug, body: object{
			"ruleType": "attribute", "variantValue": "true", "ruleConfig": object{"conditions": []object{
				{"attribute": "text", "operator": "matches", "values": []string{pattern}},
			}},
		}})
		return a.status, err
	}
	switch status, err := add(strings.Repeat(".{0,1000}", 100)); {
	case err != nil:
		return "", err
	case status < 300:
		return "", broken("a pattern of 100,000 instructions, 9 MB in every process, is accepted")
	case status != http.StatusBadRequest:
		return "", fmt.Errorf("a pattern of 100,000 instructions gets %d", status)
	}
	accepted := 0
	for status := http.StatusCreated; status < 300; accepted++ {
		if accepted > most {
			return "", broken(fmt.Sprintf("%d patterns of 1,900 instructions are accepted", accepted))
		}
		if status, err = add(fmt.Sprintf("^(?:x?){%d}x{%d}$", 600+accepted, 600)); err != nil {
			return "", err
		}
	}
	if accepted == 1 {
		return "", fmt.Errorf("not a single pattern is accepted")
	}
	return p.evaluateCostly(ctx, accepted-1)
}

// evaluateCostly evaluates the flag of costlyPatterns, which has the given number of patterns, with an attribute of 800
// bytes.
func (p *project) evaluateCostly(ctx context.Context, patterns int) (string, error) {
	var evaluated struct {
		Flags map[string]struct{ Reason string }
	}
	err := eventually(ctx, "the flag is not served", func() (bool, error) {
		a, err := p.send(ctx, request{path: "/v1/ota/flag-evaluations-bulk", body: object{
			"projectSlug": p.slug, "deviceId": "attacker", "attributes": object{"text": strings.Repeat("x", 800)},
		}})
		if err != nil || a.status != http.StatusOK {
			return false, fmt.Errorf("an evaluation gets %d: %w", a.status, err)
		}
		if err := json.Unmarshal(a.body, &evaluated); err != nil {
			return false, err
		}
		reason := evaluated.Flags["costly"].Reason
		return reason != "" && reason != "DEFAULT", nil
	})
	if err != nil {
		return "", err
	}
	if reason := evaluated.Flags["costly"].Reason; reason != "ERROR" {
		return "", broken(fmt.Sprintf("an anonymous evaluation of %d patterns on 800 bytes ends with %s", patterns, reason))
	}
	return fmt.Sprintf("a pattern of 100,000 instructions is refused, and so are more than %d patterns of 1,800; "+
		"an anonymous evaluation ends with ERROR", patterns), nil
}
