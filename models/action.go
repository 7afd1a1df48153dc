package models

import "slices"

// Actions are the names of everything that the audit log records of a project and
// that webhooks can subscribe to.
var Actions = []string{
	"build.uploaded", "build.published", "build.deleted",
	"update.created", "update.patched", "update.republished", "update.deleted", "update.rollback",
	"branch.created", "branch.deleted",
	"channel.created", "channel.updated", "channel.deleted",
	"flag.created", "flag.updated", "flag.toggled", "flag.deleted",
	"rule.created", "rule.updated", "rule.deleted",
	"variation.updated",
	"env_setting.updated",
	"segment.created", "segment.updated", "segment.deleted",
	"context.created", "context.updated", "context.deleted",
	"user_override.created", "user_override.deleted",
	"webhook.created", "webhook.updated", "webhook.deleted",
	"policy.created", "policy.updated", "policy.deleted",
	"rollout.started", "rollout.stage_advanced", "rollout.paused", "rollout.resumed", "rollout.completed",
	"rollout.cancelled", "rollout.rolled_back",
	"api_key.created", "api_key.revoked",
	"code_signing.updated", "code_signing.deleted",
	"project.updated", "gc.run",
	"incident.opened", "incident.closed",
	"device.erased",
}

// KnownAction reports whether name is one of Actions.
func KnownAction(name string) bool { return slices.Contains(Actions, name) }
