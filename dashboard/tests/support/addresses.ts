import type { Seed } from "./seed";

/** Every page of a project that works without a record. */
export const addresses = [
  "overview",
  "releases",
  "releases/compare",
  "builds",
  "publish",
  "rollouts",
  "channels",
  "policies",
  "flags",
  "segments",
  "contexts",
  "incidents",
  "observe",
  "devices",
  "webhooks",
  "overrides",
  "approvals",
  "audit",
  "settings/project",
  "settings/keys",
  "settings/members",
  "settings/signing",
  "settings/retention",
  "settings/sign-in",
  "settings/publishers",
  "settings/sessions",
];

/** Returns the addresses of record pages by the name of the page. */
export function recordAddresses(seeded: Seed): Record<string, string> {
  return {
    release: `releases/${seeded.release}`,
    "release rolled back": `releases/${seeded.rolledBackRelease}`,
    "releases compared": `releases/compare?release=${seeded.rolledBackRelease}&with=${seeded.release}`,
    rollout: `rollouts/${seeded.running}`,
    "rollout rolled back": `rollouts/${seeded.rolledBack}`,
    "rollout paused": `rollouts/${seeded.paused}`,
    policy: `policies/${seeded.policy}`,
    "policy without rollouts": `policies/${seeded.idlePolicy}`,
    flag: `flags/${seeded.flag}`,
    "flag of text": `flags/${seeded.text}`,
    "error group": `observe/${seeded.fingerprint}`,
    device: `devices/${seeded.device}`,
    webhook: `webhooks/${seeded.webhook}`,
    "webhook failing": `webhooks/${seeded.failing}`,
    approval: `approvals/${seeded.approval}`,
  };
}
