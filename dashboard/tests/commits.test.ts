import type { Page } from "@playwright/test";
import { axe, fits } from "./support/axe";
import { expect, test } from "./support/test";

const commit = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

test("commits of builds, releases and rollouts link to the repository of the settings", async ({ page, project, signIn }) => {
  const build = await project.upload("Faster checkout", undefined, "ios", { gitCommitHash: commit, gitAuthor: "Ada Lovelace", gitBranch: "main" });
  const policy = await project.call<{ id: number }>("POST", "/v1/ota/rollout-policies", {
    name: "careful",
    stages: [{ percentage: 10, minDurationMinutes: 600 }, { percentage: 100 }],
  });
  const release = await project.call<{ id: number; rolloutExecutionId: number }>("POST", "/v1/ota/updates", {
    buildId: build.id,
    channel: "production",
    releaseMessage: "Faster checkout",
    rolloutPolicyId: policy.id,
  });
  const paths = ["builds", `releases/${release.id}`, `rollouts/${release.rolloutExecutionId}`];
  const link = (on: Page) => on.getByRole("link", { name: "4b825dc", exact: true });
  await signIn();
  for (const path of paths) {
    await page.goto(`/app/${project.slug}/${path}`);
    await expect(page.getByText("by Ada Lovelace"), path).toBeVisible();
    await expect(page.getByText("4b825dc", { exact: true }), path).toBeVisible();
    await expect(link(page), path).toHaveCount(0);
  }

  await page.goto(`/app/${project.slug}/settings/project`);
  const repository = page.getByRole("textbox", { name: "Repository" });
  await repository.fill("https://ada:secret@github.com/acme/app");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(repository).toBeFocused();
  await expect(repository).toHaveAccessibleDescription(/must not contain a user name or password/);
  await repository.fill("https://github.com/acme/app");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The settings are saved.")).toBeVisible();

  for (const path of paths) {
    await page.goto(`/app/${project.slug}/${path}`);
    await expect(link(page), path).toHaveAttribute("href", `https://github.com/acme/app/commit/${commit}`);
    await expect(link(page), path).toHaveAttribute("rel", "noopener noreferrer");
    await page.setViewportSize({ width: 320, height: 700 });
    await expect(link(page), path).toBeVisible();
    await fits(page);
    await axe(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
});
