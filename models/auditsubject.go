package models

import (
	"encoding/json"
	"strconv"
)

// AuditSubject is the record that an audit entry is about. For a part of a record, such as a rule of a flag, it is the
// whole record.
type AuditSubject struct {
	// Kind is the kind of the record, such as "flag"; ID is its ID, "" if the record does not have an ID of its own.
	Kind, ID string
	// Name is the name of the record: its current name, or the name in the entry's details if the record does not exist.
	Name string
	// Platform and RuntimeVersion are set for releases, rollouts, builds and incidents.
	Platform, RuntimeVersion string
	// Exists reports whether the record still exists.
	Exists bool
}

// subjectKinds maps entity types of entries to kinds of subjects that have another name.
var subjectKinds = map[string]string{
	"update": "release", "rollout_execution": "rollout", "rule": "flag", "variation": "flag", "env_setting": "flag",
	"flag_schedule": "flag", "code_signing": "signing_key",
}

// nameDetails are the details that name a record, the best name first.
var nameDetails = []string{
	"releaseMessage", "key", "flagKey", "targetingKey", "name", "email", "userId", "url", "keyId", "message", "summary", "slug",
}

// Recorded returns the subject as the entry itself records it.
func (e AuditEntry) Recorded() AuditSubject {
	s := AuditSubject{Kind: e.EntityType, ID: e.EntityID}
	if kind, ok := subjectKinds[e.EntityType]; ok {
		s.Kind = kind
	}
	if s.Kind == "flag" && e.EntityType != "flag" {
		s.ID = detailText(e.Details["flagId"])
	}
	for _, field := range nameDetails {
		if s.Name = detailText(e.Details[field]); s.Name != "" {
			break
		}
	}
	s.Platform, s.RuntimeVersion = detailText(e.Details["platform"]), detailText(e.Details["runtimeVersion"])
	return s
}

// detailText returns a string or number of an entry's details as a string. For a changed value, it returns the new value.
func detailText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case json.Number:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case map[string]any:
		if _, isChange := v["before"]; isChange {
			return detailText(v["after"])
		}
	}
	return ""
}
