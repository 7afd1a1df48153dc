import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { Schemas } from "@/api/client";
import { KeyList } from "./KeyList";

afterEach(cleanup);

const key = (id: number, name: string) => ({ id, name, role: "editor", prefix: `prefix-${id}` }) as Schemas["APIKey"];

test("one button revokes all keys of the person", async () => {
  const revoke = vi.fn();
  render(<KeyList keys={[key(1, "ci"), key(2, "laptop")]} busy={false} onRevoke={revoke} />);
  expect(screen.getByText("ci")).toBeTruthy();
  expect(screen.getByText("prefix-2")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Revoke 2 keys" }));
  expect(revoke).toHaveBeenCalledOnce();
});
