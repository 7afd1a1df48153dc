/** The colours of a scheme. Redoc computes further colours from some of them, so they cannot be variables of CSS. */
interface Colours {
  canvas: string;
  panel: string;
  selected: string;
  line: string;
  ink: string;
  muted: string;
  link: string;
  ok: string;
  warn: string;
  bad: string;
  sample: string;
}

const light: Colours = {
  canvas: "#fbfbfc", panel: "#f3f4f6", selected: "#e4e7eb", line: "#e6e8ec", ink: "#17191d", muted: "#565c68", link: "#1d4fd7",
  ok: "#0f7038", warn: "#8a5200", bad: "#b91c22", sample: "#1b1d21",
};

const dark: Colours = {
  canvas: "#0e0f11", panel: "#15171a", selected: "#272b31", line: "#272a30", ink: "#eceef1", muted: "#a7adb8", link: "#8fb4ff",
  ok: "#5bd08a", warn: "#f0b64c", bad: "#ff8c88", sample: "#15171a",
};

// The colours of methods in both schemes, because white text is on them.
const methods = { get: "#0f7038", post: "#1d4fd7", put: "#8a3fd1", patch: "#8a5200", delete: "#b91c22", head: "#565c68" };

const sans = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const mono = 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** Returns Redoc's theme in the dashboard's colours. */
export function theme(isDark: boolean) {
  const c = isDark ? dark : light;
  // Samples are on dark ground in both schemes.
  const outcome = (name: "ok" | "warn" | "bad" | "link") => ({ color: c[name], backgroundColor: c.panel, tabTextColor: dark[name] });
  return {
    colors: {
      primary: { main: c.link, light: c.link, dark: c.link },
      success: { main: c.ok, light: c.ok, dark: c.ok },
      warning: { main: c.warn, light: c.warn, dark: c.warn },
      error: { main: c.bad, light: c.bad, dark: c.bad },
      gray: { 50: c.panel, 100: c.selected },
      text: { primary: c.ink, secondary: c.muted },
      border: { dark: c.line, light: c.line },
      responses: { success: outcome("ok"), error: outcome("bad"), redirect: outcome("warn"), info: outcome("link") },
      http: { ...methods, options: methods.head, basic: methods.head, link: methods.post },
    },
    schema: { linesColor: c.muted, nestedBackground: c.panel, typeNameColor: c.muted, requireLabelColor: c.bad },
    typography: {
      fontSize: "15px",
      fontFamily: sans,
      headings: { fontFamily: sans, fontWeight: "600" },
      code: { fontFamily: mono, color: c.ink, backgroundColor: c.selected, wrap: true },
      links: { color: c.link, visited: c.link, hover: c.link },
    },
    sidebar: {
      backgroundColor: c.panel,
      textColor: c.ink,
      activeTextColor: c.link,
      groupItems: { activeBackgroundColor: c.selected, activeTextColor: c.link, textTransform: "none" },
      level1Items: { activeBackgroundColor: c.selected, activeTextColor: c.link },
    },
    rightPanel: {
      backgroundColor: c.sample,
      textColor: "#eceef1",
      servers: { overlay: { backgroundColor: c.panel, textColor: c.ink }, url: { backgroundColor: c.canvas } },
    },
    codeBlock: { backgroundColor: "#0e0f11" },
    fab: { backgroundColor: c.selected, color: c.link },
  };
}
