import { expect, test } from "./support/test";
import { url } from "./support/project";

test("the page permits only its own scripts, and caches only files with a hash in their name", { tag: "@short" }, async ({ request }) => {
  const page = await request.get("/app/login");
  const headers = page.headers();
  expect(headers["cache-control"]).toBe("no-cache");
  expect(headers["x-content-type-options"]).toBe("nosniff");
  const policy = headers["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(policy).toMatch(/script-src [^;]*\/app\/assets\//);
  const script = /src="(\/app\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? "";
  const asset = await request.get(script);
  expect(asset.headers()["cache-control"]).toContain("immutable");
  expect(asset.headers()["content-encoding"]).toBe("br");
  expect((await request.get("/app/assets/gone-12345678.js")).status()).toBe(404);
  expect((await request.get("/app/demo/rollouts/7")).status()).toBe(200);
  expect((await request.get("/", { maxRedirects: 0 })).headers().location).toBe("/app/");
  expect((await request.get("/v1/nothing")).headers()["content-type"]).toContain("application/problem+json");
});

test("an uploaded bundle does not run as the dashboard's script", async ({ page, project, signIn, violations }) => {
  const { build } = await project.publish("Evil", "window.stolen = true");
  const key = build.assets.find((each) => each.isLaunchAsset)?.key ?? "";
  const address = `${url}/v1/ota/assets/${key}?project=${project.slug}`;
  await signIn();
  await expect.poll(async () => (await page.request.get(address)).status()).toBe(200);
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const refused = await page.evaluate(
    (source) =>
      new Promise<string>((resolve) => {
        document.addEventListener("securitypolicyviolation", (event) => resolve(event.violatedDirective));
        const script = document.createElement("script");
        script.src = source;
        script.onload = () => resolve("loaded");
        document.head.append(script);
      }),
    address,
  );
  expect(refused).toContain("script-src");
  expect(await page.evaluate(() => "stolen" in window)).toBe(false);
  // This test caused the violation itself.
  violations.length = 0;
});
