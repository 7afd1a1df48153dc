/** Parses attributes from a JSON string. An empty string has no attributes. Returns null if the JSON is not an object. */
export function attributesOf(text: string): Record<string, unknown> | null {
  if (!text.trim()) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Returns the context of a form without empty fields, or null if the attributes are not a JSON object. */
export function contextOf({ attributes, ...fields }: Record<string, string> & { attributes: string }): Record<string, unknown> | null {
  const object = attributesOf(attributes);
  if (!object) return null;
  const given = Object.entries(fields).filter(([, value]) => value.trim() !== "");
  return { ...Object.fromEntries(given.map(([name, value]) => [name, value.trim()])), ...(Object.keys(object).length > 0 && { attributes: object }) };
}
