package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/internal/store"
)

const (
	// projectFlags is how many flags the project has; all but one have rules.
	projectFlags = 100
	// makers make flags at the same time.
	makers = 8
)

// runFlags measures the time that the server takes to evaluate all flags of a project, and to send their changes over
// s.requests open streams. It compares both with a bare Gin handler; each server is a separate process. bench/flags compares
// the evaluation of one flag with other libraries.
func runFlags(ctx context.Context, s *session) error {
	before := load()
	w, err := s.startWaftProcess(ctx, nil)
	if err != nil {
		return err
	}
	server := s.child
	p, err := w.newProject(ctx, uniqueSlug("flags"))
	if err != nil {
		return err
	}
	changing, err := p.makeFlags(ctx)
	if err != nil {
		return err
	}
	set, err := w.flagSet(ctx)
	if err != nil {
		return err
	}
	if err := s.runBulk(ctx, w, p.slug, set); err != nil {
		return err
	}
	fmt.Println()
	if err := s.runStreams(ctx, server, p, changing); err != nil {
		return err
	}
	fmt.Println()
	fmt.Println(machine(before))
	return nil
}

// makeFlags fills the project and returns the id of the flag without rules. The other flags have the rules of
// bench/flags.
func (p *project) makeFlags(ctx context.Context) (changing int64, err error) {
	const ids, countries = 100, `["DE","FR","IT","ES","NL","BE","AT","CH","PL","SE"]`
	listed := make([]string, ids)
	for i := range listed {
		listed[i] = fmt.Sprintf("listed-%06d", i)
	}
	rules := []string{
		fmt.Sprintf(`{"ruleType": "user_list", "variantValue": "true", "ruleConfig": {"userIds": %q}}`, strings.Join(listed, ",")),
		`{"ruleType": "attribute", "variantValue": "true", "ruleConfig": {"conditions": [
			{"attribute": "platform", "operator": "eq", "values": ["ios"]},
			{"attribute": "runtimeVersion", "operator": "semver_gte", "values": ["1.4.0"]},
			{"attribute": "plan", "operator": "in", "values": ["pro", "team"]}]}}`,
		`{"ruleType": "attribute", "variantValue": "true", "ruleConfig": {"conditions": [
			{"attribute": "country", "operator": "in", "values": ` + countries + `}]}}`,
		`{"ruleType": "percentage_rollout", "ruleConfig": {"rollout": [{"variantValue": "true", "weight": 25}]}}`,
	}
	making, ctx := errgroup.WithContext(ctx)
	making.SetLimit(makers)
	for i := range projectFlags {
		making.Go(func() error {
			var made struct{ ID int64 }
			body := fmt.Sprintf(`{"key": "flag-%03d", "flagType": "boolean", "defaultValue": false}`, i)
			if err := p.create(ctx, "/v1/ota/flags", "application/json", body, &made); err != nil {
				return err
			}
			if i == 0 {
				changing = made.ID
				return nil
			}
			for priority, rule := range rules {
				path := fmt.Sprintf("/v1/ota/flags/%d/rules", made.ID)
				body := fmt.Sprintf(`{"priority": %d, %s`, priority, rule[1:])
				if err := p.send(ctx, http.MethodPost, path, body, http.StatusCreated); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err = making.Wait()
	return changing, err
}

// flagSet returns the flags of the only project, as the server has them.
func (w *waft) flagSet(ctx context.Context) (set *flags.Set, err error) {
	box, err := secrets.New(secrets.Key{})
	if err != nil {
		return nil, err
	}
	st, err := store.Open(ctx, w.databaseURL, store.WithSecrets(box))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	versions, err := st.SnapshotVersions(ctx)
	if err != nil {
		return nil, err
	}
	for id := range versions {
		snapshot, err := st.Snapshot(ctx, id)
		if err != nil {
			return nil, err
		}
		if set, err = flags.NewSet(snapshot, nil); err != nil {
			return nil, err
		}
		if len(set.Flags()) == projectFlags {
			return set, nil
		}
	}
	return nil, fmt.Errorf("no project has %d flags", projectFlags)
}
