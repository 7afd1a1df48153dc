const browsers: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\/(\d+)/, "Edge"],
  [/OPR\/(\d+)/, "Opera"],
  [/(?:Firefox|FxiOS)\/(\d+)/, "Firefox"],
  [/(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/, "Chrome"],
  [/Version\/(\d+)[^ ]* (?:Mobile\/\w+ )?Safari/, "Safari"],
];

const systems: [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** Returns browser and operating system from a user agent: "Chrome 131, Linux". Returns an unknown user agent unchanged. */
export function browserOf(userAgent: string): string {
  const browser = browsers.map(([pattern, name]) => [pattern.exec(userAgent)?.[1], name] as const).find(([version]) => version);
  if (!browser) return userAgent;
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [`${browser[1]} ${browser[0]}`, system].filter(Boolean).join(", ");
}
