import type { Schemas } from "@/api/client";
import { releaseName } from "@/format/releaseName";
import { strings } from "./strings";

/** Returns the name of an incident: its release and channel. */
export function nameOf({ release, channel }: Pick<Schemas["Incident"], "release" | "channel">): string {
  return strings.editOf(release === null ? strings.embedded : releaseName(release), channel);
}
