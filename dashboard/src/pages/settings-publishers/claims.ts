/** Parses claims from lines such as `repository = acme/app`. Skips empty lines. */
export function parseClaims(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", ...value] = line.split("=");
      return [name.trim(), value.join("=").trim()];
    }),
  );
}

/** Parses names that are separated by commas. Returns null for an empty list, which stands for all. */
export function parseChannels(text: string): string[] | null {
  const names = text.split(",").map((name) => name.trim());
  const given = names.filter(Boolean);
  return given.length > 0 ? given : null;
}

/** Formats claims on one line. */
export function claimsLine(claims: Record<string, string>): string {
  return Object.entries(claims)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ");
}
