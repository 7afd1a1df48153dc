import type { Series } from "./chartProps";

/** Returns the name of the series' colour in the theme. Series without a colour get the six colours in turn. */
export function colourName({ colour }: Series, index: number): string {
  const chosen = colour ?? ((index % 6) + 1);
  return typeof chosen === "number" ? `series-${chosen}` : chosen;
}

/** Returns a colour of the theme for the canvas, in the current colour scheme. */
export function colourOf(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--color-${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
