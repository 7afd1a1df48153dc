import type { Schemas } from "@/api/client";
import type { Tone } from "@/ui/Badge";

type Webhook = Pick<Schemas["Webhook"], "isActive" | "disabledReason" | "failingSince">;

/** Returns the state of a webhook: turned off, disabled by Waft after days of failures, failing, or on. */
export function stateOf({ isActive, disabledReason, failingSince }: Webhook): "on" | "off" | "failing" | "disabled" {
  if (!isActive) return disabledReason ? "disabled" : "off";
  return failingSince ? "failing" : "on";
}

export const stateTones: Record<ReturnType<typeof stateOf>, Tone> = { on: "ok", off: "plain", failing: "warn", disabled: "bad" };

export const statusTones: Record<Schemas["WebhookDelivery"]["status"], Tone> = { pending: "info", delivered: "ok", failed: "bad", cancelled: "plain" };
