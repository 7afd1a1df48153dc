import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { Problem } from "@/api/problem";
import { Panel } from "./Panel";

afterEach(cleanup);

const problem = new Problem({ status: 503, code: "unavailable", detail: "ClickHouse does not answer", requestId: "req-1" });

test("a failure shows its detail, the request and a retry", async () => {
  const refetch = vi.fn();
  render(
    <Panel title="Errors" query={{ data: undefined, error: problem, dataUpdatedAt: 0, refetch }}>
      {() => null}
    </Panel>,
  );
  expect(screen.getByRole("alert").textContent).toContain("ClickHouse does not answer");
  expect(screen.getByRole("alert").textContent).toContain("req-1");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(refetch).toHaveBeenCalledOnce();
});

test("the last data stays with its age when a refetch fails", () => {
  render(
    <Panel title="Errors" query={{ data: 7, error: problem, dataUpdatedAt: Date.now() - 60_000, refetch: () => {} }}>
      {(data) => <p>{`${data} groups`}</p>}
    </Panel>,
  );
  expect(screen.getByText("7 groups")).toBeTruthy();
  expect(screen.getByRole("alert").textContent).toContain("ClickHouse does not answer");
  expect(document.querySelector("[data-old=true]")).not.toBeNull();
});
