import { Devices, rollOut } from "./support/devices";
import type { Project } from "./support/project";
import { expect, test, type Page } from "./support/test";

const limit = 1_000;

/** Watches the page until an element says the text and a frame shows it; answers when that was, by the machine's clock. */
function shown(page: Page, selector: string, text: string) {
  return page.evaluateHandle(
    ({ selector, text }) => {
      const at = new Promise<number>((resolve) => {
        const isThere = () => [...document.querySelectorAll(selector)].some((each) => each.checkVisibility() && each.textContent?.includes(text));
        // A task after the frame's callbacks: the frame has been drawn.
        const painted = () =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(Date.now());
            port2.postMessage(null);
          });
        const observer = new MutationObserver(() => {
          if (!isThere()) return;
          observer.disconnect();
          painted();
        });
        observer.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
        if (isThere()) resolve(Number.NaN); // it was there before the change: the test is wrong
      });
      return { at };
    },
    { selector, text },
  );
}

/** Milliseconds from the API's answer until the page shows the text. */
async function measure(page: Page, selector: string, text: string, change: () => Promise<unknown>): Promise<number> {
  const watched = await shown(page, selector, text);
  await change();
  const answered = Date.now();
  const at = await watched.evaluate((each) => each.at);
  expect(at, `${text} was shown before the change`).not.toBeNaN();
  return Math.max(0, at - answered);
}

test("95 of 100 changes are on screen within a second of the API's answer", async ({ page, project, signIn }) => {
  await Devices.make(project, 0);
  await project.publish("Stable");
  const { rollout } = await rollOut(project, "In stages", [{ percentage: 10, minDevices: 1, minDurationMinutes: 600 }]);
  await signIn("editor");
  // Three tabs: one of them reads the stream, the others hear of changes from it.
  const [rollouts, flags] = [await page.context().newPage(), await page.context().newPage()];
  const opened = page.waitForResponse("**/v1/ota/stream");
  await page.goto(`/app/${project.slug}/overview`);
  await opened;
  await rollouts.goto(`/app/${project.slug}/rollouts/${rollout}`);
  await flags.goto(`/app/${project.slug}/flags`);
  for (const each of [page, rollouts, flags]) {
    await expect(each.getByRole("status", { name: "Loading" })).toHaveCount(0);
  }

  const took: number[] = [];
  for (let i = 1; i <= 7; i++) {
    took.push(await measure(page, "main a", `Release ${i}.`, () => project.publish(`Release ${i}.`, undefined, "production", "android")));
    const command = i % 2 ? "pause" : "resume";
    took.push(await measure(rollouts, "main header *", i % 2 ? "Paused" : "Running", () => order(project, rollout, command)));
    took.push(await measure(flags, "main a", `flag-${i}.`, () => makeFlag(project, `flag-${i}.`)));
  }
  took.sort((a, b) => a - b);
  const p95 = took[Math.ceil(took.length * 0.95) - 1];
  console.log(`commit to pixel: ${took.join(", ")} ms`);
  expect(p95, `of ${took.join(", ")} ms`).toBeLessThan(limit);
});

const order = (project: Project, rollout: number, command: string) =>
  project.call("POST", `/v1/ota/rollout-executions/${rollout}/${command}`, {});

const makeFlag = (project: Project, key: string) => project.call("POST", "/v1/ota/flags", { key });
