import { expect, test } from "./support/test";

test("the page of code signing does not fail a request while there is no key", async ({ page, project, signIn }) => {
  await signIn("admin");
  const failed: string[] = [];
  page.on("response", (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") failed.push(message.text());
  });
  await page.goto(`/app/${project.slug}/settings/signing`);
  await expect(page.getByRole("region", { name: "Key", exact: true }).getByText("This project does not have a code signing key.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Set the key" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete the key" }), "nothing can be deleted").toHaveCount(0);
  expect(failed).toEqual([]);
});
