import type { Schemas } from "@/api/client";
import { strings } from "./strings";

/** A flag that a release is to set, as the person has chosen it. */
export interface Link {
  flag: Pick<Schemas["Flag"], "id" | "key" | "flagType" | "variations">;
  /** "on", "off", or the value of a variation after a colon. */
  choice: string;
}

/** Returns the choices that a flag offers. */
export function choicesOf({ flagType, variations }: Link["flag"]): { value: string; label: string }[] {
  const off = { value: "off", label: strings.off };
  if (flagType === "boolean") return [{ value: "on", label: strings.on }, off];
  return [...variations.map(({ name, value }) => ({ value: `:${value}`, label: name && name !== value ? `${name} = ${value}` : value })), off];
}

/** Returns the link of a flag that was just chosen: the flag is on, or has its first variation. */
export const linkOf = (flag: Link["flag"]): Link => ({ flag, choice: choicesOf(flag)[0]?.value ?? "off" });

/** Returns the links as the API takes them. */
export function bodyOf(links: Link[]): Schemas["FlagLink"][] {
  return links.map(({ flag, choice }) => ({ flagId: flag.id, enabled: choice !== "off", ...(choice.startsWith(":") && { value: choice.slice(1) }) }));
}
