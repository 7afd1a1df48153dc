import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { WorkflowLink } from "./WorkflowLink";

afterEach(cleanup);

test("a workflow links to Temporal for people who may see it, and is its ID for others", () => {
  const workflowUrl = "https://temporal.example.com/namespaces/waft/workflows/rollout%2Facme%2F7";
  const { rerender } = render(<WorkflowLink workflow={{ workflowId: "rollout/acme/7", workflowUrl }} />);
  expect(screen.getByRole("link", { name: "rollout/acme/7" }).getAttribute("href")).toBe(workflowUrl);
  rerender(<WorkflowLink workflow={{ workflowId: "rollout/acme/7", workflowUrl: null }} />);
  expect(screen.queryByRole("link")).toBeNull();
  expect(screen.getByText("rollout/acme/7")).toBeTruthy();
});

test("a link with a label is hidden from people who may not see Temporal", () => {
  render(<WorkflowLink workflow={{ workflowId: "flag/acme/3", workflowUrl: null }} label="Workflow" />);
  expect(screen.queryByText("Workflow")).toBeNull();
});
