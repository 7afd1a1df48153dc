/** Parses a rollout percentage from the form. Returns null if it is not a number from 0 to 100. */
export function shareOf(text: string): number | null {
  const share = Number(text);
  return text.trim() !== "" && share >= 0 && share <= 100 ? share : null;
}
