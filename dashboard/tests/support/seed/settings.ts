import { execFileSync } from "node:child_process";
import { password, url, type Project, type Role } from "../project";
import { longName } from "./releases";

/** Creates keys, members, publishers, code signing, retention settings and overrides. */
export async function seedSettings(project: Project) {
  await project.call("POST", "/v1/ota/api-keys", { name: "ci", role: "editor" });
  await project.call("POST", "/v1/ota/api-keys", { name: `reader-${longName}`, role: "viewer", expiresAt: new Date(Date.now() + 5 * 86_400_000).toISOString() });
  await join(project, "viewer", "Vera");
  await join(project, "editor", "Maximiliane Alexandra von und zu der Hohen Tannenbergwiese");
  await project.invite("viewer");
  await project.invite("admin");
  await project.call("PUT", "/v1/ota/trusted-publishers", [
    { issuer: "https://token.actions.githubusercontent.com", audience: "https://ota.example.com", role: "editor", claims: { repository: "acme/app", ref: "refs/heads/main" } },
    {
      issuer: "https://gitlab.example.com",
      audience: "https://ota.example.com",
      role: "viewer",
      channels: ["production", longName],
      claims: { project_path: "acme/a-group-of-groups/with-a-long-name/app", ref: "main", ref_type: "branch" },
    },
  ]);
  await project.call("PATCH", "/v1/ota/settings", { buildRetentionDays: 90, telemetryRetentionDays: 30, trustedNetworks: ["203.0.113.0/24", "2001:db8::/48"] });
  await project.call("PUT", "/v1/ota/code-signing", codeSigning());
  for (const [userId, note] of [["user-1", "Ada tests what comes next"], [`customer-${longName}`, undefined]]) {
    await project.call("POST", "/v1/ota/user-overrides", { userId, branchName: "production", note });
  }
}

/** Lets a new person accept an invitation, and returns their address and session cookie. */
export async function join(project: Project, role: Role, name: string): Promise<{ email: string; cookie: string }> {
  const { token, email } = await project.invite(role);
  const response = await fetch(`${url}/v1/auth/invitations/accept`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token, name, password }),
  });
  if (!response.ok) throw new Error(`join: ${response.status} ${await response.text()}`);
  return { email, cookie: response.headers.getSetCookie()[0] ?? "" };
}

function codeSigning(): { privateKeyPem: string; certificatePem: string } {
  const extensions = ["keyUsage=critical,digitalSignature", "extendedKeyUsage=codeSigning"].flatMap((each) => ["-addext", each]);
  const pem = execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "20", "-subj", "/CN=Waft", ...extensions, "-keyout", "-", "-out", "-"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const part = (name: string) => new RegExp(`-----BEGIN ${name}-----[^]+-----END ${name}-----\n`).exec(pem)?.[0] ?? "";
  return { privateKeyPem: part("PRIVATE KEY"), certificatePem: part("CERTIFICATE") };
}
