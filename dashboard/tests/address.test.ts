import { expect, test } from "./support/test";

test("a value in the address that a page does not know is not sent to the server", async ({ page, project, signIn }) => {
  await project.publish("The first");
  await signIn("viewer");
  const asked: URLSearchParams[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.startsWith("/v1/ota/")) asked.push(searchParams);
  });
  const askedFor = (name: string) => asked.map((each) => each.get(name)).filter((value) => value !== null);

  await page.goto(`/app/${project.slug}/releases?days=x&platform=windows&enabled=perhaps&sort=-password&search=first`);
  await expect(page.getByRole("link", { name: "The first" })).toBeVisible();
  await expect(page).toHaveURL(/\/releases\?search=first$/);
  await expect(page.getByLabel("Platform")).toHaveValue("");
  expect(askedFor("days")).toEqual(["7"]);
  expect(askedFor("search")).toContain("first");
  for (const name of ["platform", "isEnabled", "sort"]) expect(askedFor(name), name).toEqual([]);

  asked.length = 0;
  await page.goto(`/app/${project.slug}/observe?updateUuid=7&from=yesterday&status=nonsense&range=7d`);
  await expect(page.getByText("No errors in this period")).toBeVisible();
  await expect(page.getByLabel("Time", { exact: true })).toHaveValue("7d");
  for (const name of ["updateUuid", "status"]) expect(askedFor(name), name).toEqual([]);
});

test("a filter that is chosen is in the address, without the filters that are not", async ({ page, project, signIn }) => {
  await project.publish("The first");
  await signIn("viewer");
  await page.goto(`/app/${project.slug}/releases?platform=android`);
  await expect(page.getByLabel("Platform")).toHaveValue("android");
  await page.getByLabel("Platform").selectOption("ios");
  await expect(page).toHaveURL(/\/releases\?platform=ios$/);
  await page.getByLabel("Platform").selectOption("");
  await expect(page).toHaveURL(/\/releases$/);
});

test("an empty value is kept where it differs from the value at first", async ({ page, project, signIn }) => {
  const flag = await project.call<{ id: number }>("POST", "/v1/ota/flags", { key: "dark", defaultValue: "false" });
  await signIn("viewer");
  await page.goto(`/app/${project.slug}/flags/${flag.id}?tab=explain`);
  const channel = page.getByLabel("Channel", { exact: true });
  await expect(channel).not.toHaveValue("");
  await channel.selectOption("");
  await expect(page).toHaveURL(/tab=explain&channel=$/);
  await expect(channel).toHaveValue("");
});
