import type { Series } from "./chartProps";

/** The name of the series' colour in the theme; those without one have the six colours in turn. */
export function colourName({ colour }: Series, index: number): string {
  const chosen = colour ?? ((index % 6) + 1);
  return typeof chosen === "number" ? `series-${chosen}` : chosen;
}

/** A colour of the theme as the canvas takes it, in the scheme that is shown. */
export function colourOf(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--color-${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
