import type { Schemas } from "@/api/client";

export type Release = Schemas["Update"];
type RollbackBody = Schemas["RollbackBody"];
type RolloutBody = Schemas["RollbackExecutionBody"];

/** The choice of a person in the dialog. */
export type Target =
  | { kind: "undo" }
  | { kind: "flag"; flagId: number }
  | { kind: "channel" }
  | { kind: "embedded" }
  | { kind: "release"; release: Release };

/** Returns a key of the target that is unique in the dialog. */
export function keyOf(target: Target): string {
  if (target.kind === "release") return `release ${target.release.id}`;
  return target.kind === "flag" ? `flag ${target.flagId}` : target.kind;
}

/** Reports whether an earlier release is of the same build, as the original of a copy is. Going back to it does not change the app. */
export function isSameBuild(release: Release, earlier: Release): boolean {
  return release.buildId !== null && release.buildId === earlier.buildId;
}

/**
 * Returns the release to go back to unless the person chooses otherwise: the newest with other files, if it exists. `earlier` are the
 * newest earlier releases, which may all be copies of the release that is rolled back.
 */
export function firstOf(withOtherFiles: Release[], earlier: Release[]): Release | undefined {
  return withOtherFiles[0] ?? earlier[0];
}

/** Returns the releases to list: the newest, and below them the preselected one if it is older. A search lists only what it finds. */
export function listed(found: Release[], first: Release | undefined, search: string): Release[] {
  return search || !first || found.some((each) => each.id === first.id) ? found : [...found, first];
}

/** The releases on the other platform: of the publish that is rolled back, and of the publish that is the target. */
export interface Others {
  partner: Release | null;
  counterpart: Release | null;
}

/** Returns the release of the same group and branch on another platform, or null. */
export function otherOf(release: Release, group: Release[]): Release | null {
  return group.find((each) => each.platform !== release.platform && each.branchName === release.branchName) ?? null;
}

/** Reports whether the target can be applied to the other platform in the same call. */
export function mayBeBoth(target: Target, { partner, counterpart }: Others): boolean {
  if (target.kind === "release") return counterpart?.kind === "update";
  return (target.kind === "undo" || target.kind === "embedded") && partner !== null;
}

/**
 * Reports whether the other platform is rolled back unless the person chooses otherwise. It is if the release that is rolled back was
 * published for both platforms and is not rolled back on the other one yet. A release that was turned off is never the default.
 */
export function isBothByDefault(target: Target, others: Others): boolean {
  const { partner, counterpart } = others;
  if (!mayBeBoth(target, others) || partner === null || (!partner.isEnabled && partner.rolloutExecutionId === null)) return false;
  return target.kind !== "release" || !target.release.isEnabled || counterpart?.isEnabled === true;
}

/** Returns the releases that the call gives to devices although they were turned off. */
export function disabledGoals(target: Target, { counterpart }: Others, both: boolean): Release[] {
  if (target.kind !== "release") return [];
  return [target.release, ...(both && counterpart ? [counterpart] : [])].filter((each) => !each.isEnabled);
}

/** The call that rolls back: of the open rollout, or of the channel. */
export type Call = { of: "rollout"; id: number; body: RolloutBody } | { of: "channel"; body: RollbackBody };

/** Returns the call for a target. `both` includes the other platform. */
export function callOf(release: Release, channel: string | null, target: Target, others: Others, both: boolean): Call {
  const rollout = release.rolloutExecutionId ?? 0;
  switch (target.kind) {
    case "undo":
      return { of: "rollout", id: rollout, body: { scope: "release", ...(both && { allPlatforms: true }) } };
    case "flag":
      return { of: "rollout", id: rollout, body: { scope: "flag", flagId: target.flagId } };
    case "channel":
      return { of: "rollout", id: rollout, body: { scope: "channel" } };
  }
  const goal = target.kind === "release" ? target.release : null;
  const { platform, runtimeVersion } = release;
  const other = goal ? others.counterpart : others.partner;
  return {
    of: "channel",
    body: {
      channel: channel ?? "",
      platform,
      runtimeVersion,
      ...(goal && { rollbackToUpdateId: goal.id }),
      ...(both &&
        other && {
          others: [{ platform: other.platform, runtimeVersion: other.runtimeVersion, ...(goal && { rollbackToUpdateId: other.id }) }],
        }),
      ...(disabledGoals(target, others, both).length > 0 && { allowDisabled: true }),
    },
  };
}
