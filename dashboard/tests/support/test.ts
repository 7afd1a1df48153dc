import { test as base, expect, type Page } from "@playwright/test";
import { password, Project, url, type Role } from "./project";

interface Fixtures {
  /** A project for this test alone. */
  project: Project;
  /** Signs the page's browser in as a new member of the project, and returns the member's address. */
  signIn: (role?: Role) => Promise<string>;
  /** Violations of the content security policy on the page, and uncaught errors. Every test expects none at its end. */
  violations: string[];
}

export const test = base.extend<Fixtures>({
  violations: [
    async ({ page }, use) => {
      const violations: string[] = [];
      page.on("console", (message) => {
        if (/Content Security Policy|Content-Security-Policy/i.test(message.text())) violations.push(message.text());
      });
      page.on("pageerror", (error) => violations.push(`uncaught: ${error.message}`));
      await use(violations);
      expect(violations, "refused by the policy, or thrown").toEqual([]);
    },
    { auto: true },
  ],
  project: async ({ playwright }, use) => {
    const request = await playwright.request.newContext();
    await use(await Project.make(request));
    await request.dispose();
  },
  signIn: async ({ context, project }, use) => {
    await use(async (role = "admin") => {
      const { token, email } = await project.invite(role);
      const answer = await context.request.post(`${url}/v1/auth/invitations/accept`, { data: { token, name: `Sam ${role}`, password } });
      expect(answer.status(), await answer.text()).toBe(200);
      return email;
    });
  },
});

export { expect, type Page };
