import { randomUUID } from "node:crypto";
import { password, url } from "./support/project";
import { expect, test } from "./support/test";
import { inWebKit } from "./support/webkit";

interface Release {
  platform: string;
  releaseMessage: string;
  republishedFromId: number | null;
}

// Safari's engine is on every iPhone, and on the laptop of many who are on call.
test("in WebKit, a person signs in and rolls both platforms back from the overview", { tag: "@short" }, async ({ project, request }) => {
  for (const message of ["Good", "Bad"]) {
    const groupId = randomUUID();
    await project.publish(message, undefined, "production", "ios", { groupId });
    await project.publish(message, undefined, "production", "android", { groupId });
  }
  const { token, email } = await project.invite("editor");
  const accepted = await request.post(`${url}/v1/auth/invitations/accept`, { data: { token, name: "Sam Safari", password } });
  expect(accepted.status(), await accepted.text()).toBe(200);

  await inWebKit(async (browser) => {
    await browser.open(`${url}/app/${project.slug}/overview`);
    await browser.type("Email address", email);
    await browser.type("Password", password);
    await browser.press("Sign in");
    await browser.see("Live");
    await browser.press("Roll back production · iOS");
    const dialog = await browser.find(`//*[@role="dialog"]`);
    await browser.find(`.//*[@aria-label="What this does"]//*[contains(text(), "Bad")]`, dialog);
    await browser.press("Roll back", dialog);
    await browser.see("Rolled back.");
  });
  const newest = await project.call<Release[]>("GET", "/v1/ota/updates?limit=2");
  expect(newest.map((each) => each.platform).sort()).toEqual(["android", "ios"]);
  expect(newest.every((each) => each.republishedFromId !== null && each.releaseMessage.includes("Good"))).toBe(true);
});
