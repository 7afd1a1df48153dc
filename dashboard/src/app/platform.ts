/** Returns the keys of a shortcut with the command key, as the platform writes them: ⌘K on Apple's systems, Ctrl K elsewhere. */
export function commandKeys(key: string, platform = navigator.platform): string {
  return /^(Mac|iP)/.test(platform) ? `⌘${key}` : `Ctrl ${key}`;
}
