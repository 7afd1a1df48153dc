import type { Schemas } from "@/api/client";

export type ChannelAction = "pause" | "resume" | "point" | "rollout" | "runtime" | "protect" | "remove";

/** The form values of a channel. */
export interface Draft {
  branchName: string;
  rolloutBranchName: string;
  rolloutPercentage: string;
  minRuntimeVersion: string;
  isProtected: boolean;
  requiredApprovals: string;
}

/**
 * Returns the form values of a channel for the action. If no branch rollout runs, preselects another branch for it. Protecting a channel
 * that is not protected starts with one approval.
 */
export function draftOf(channel: Schemas["Channel"], branches: Pick<Schemas["Branch"], "name">[], action: ChannelAction): Draft {
  const protects = action === "protect" && !channel.isProtected;
  return {
    branchName: channel.branchName,
    rolloutBranchName: channel.rolloutBranchName ?? branches.find(({ name }) => name !== channel.branchName)?.name ?? "",
    rolloutPercentage: String(channel.rolloutPercentage ?? 10),
    minRuntimeVersion: channel.minRuntimeVersion ?? "",
    isProtected: channel.isProtected || protects,
    requiredApprovals: String(protects ? Math.max(channel.requiredApprovals, 1) : channel.requiredApprovals),
  };
}

/** Returns the body of the change, with only the fields of the action. */
export function patchOf(action: ChannelAction, draft: Draft): Schemas["PatchChannelBody"] {
  switch (action) {
    case "pause":
      return { isPaused: true };
    case "resume":
      return { isPaused: false };
    case "point":
      return { branchName: draft.branchName };
    case "rollout":
      return draft.rolloutBranchName === ""
        ? { rolloutBranchName: null }
        : { rolloutBranchName: draft.rolloutBranchName, rolloutPercentage: Number(draft.rolloutPercentage) };
    case "runtime":
      return { minRuntimeVersion: draft.minRuntimeVersion.trim() || null };
    case "protect":
      return { isProtected: draft.isProtected, requiredApprovals: Number(draft.requiredApprovals) };
    case "remove":
      return {};
  }
}

/** Names what the form does to the protection of a channel. */
export function protectionOf(channel: Pick<Schemas["Channel"], "isProtected">, draft: Pick<Draft, "isProtected">): "add" | "change" | "remove" {
  if (!channel.isProtected) return "add";
  return draft.isProtected ? "change" : "remove";
}
