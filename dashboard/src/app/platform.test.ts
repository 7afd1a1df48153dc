import { expect, it } from "vitest";
import { commandKeys } from "./platform";

it("writes the command key as the platform does", () => {
  expect(commandKeys("K", "MacIntel")).toBe("⌘K");
  expect(commandKeys("K", "iPad")).toBe("⌘K");
  expect(commandKeys("K", "Linux x86_64")).toBe("Ctrl K");
  expect(commandKeys("K", "Win32")).toBe("Ctrl K");
});
