import type { ApiClient, Schemas } from "@/api/client";
import { asProblem, Problem } from "@/api/problem";
import { bytes } from "@/format/format";
import { FolderError, type Export, type FolderFile, type PlatformExport } from "./readFolder";
import { strings } from "./strings";

/** How far an upload is. */
export type Progress =
  | { stage: "hashing"; done: number; all: number }
  | { stage: "sending"; done: number; all: number }
  | { stage: "storing" };

/** The commit of an export. A field that is not known is empty. */
export type Git = Pick<Schemas["NamedBuild"], "gitCommitHash" | "gitBranch" | "gitAuthor">;

/** Returns the fields that are not empty. */
const given = (git: Git): Git => Object.fromEntries(Object.entries(git).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : [])));

interface Hashed extends FolderFile {
  sha256: string;
}

/** The size of the parts in which a file is sent, in bytes. After a failure, at most one part is sent again. */
const partBytes = 4 << 20;
/** The number of files that one check names. */
const checkedTogether = 2_000;
/** How often a part is sent again, and the pause before it in milliseconds. */
const maxTries = 3;
const pause = 1_000;

/**
 * Uploads the parts of an export and creates a build for each. Sends only files that the server does not have, and continues a file
 * where an earlier upload ended. `have` contains the builds of an earlier call that failed; builds are added to it.
 */
export async function upload(
  client: ApiClient,
  exported: Export,
  parts: PlatformExport[],
  options: { runtimeVersion: string; message: string; git: Git; key: string },
  have: Map<string, Schemas["Build"]>,
  onProgress: (progress: Progress) => void,
): Promise<Schemas["Build"][]> {
  const files = await hashAll([...new Set(parts.flatMap((part) => part.files))], onProgress);
  const byFile = new Map(files.map((each) => [each.file, each]));
  await sendMissing(client, files, onProgress);
  onProgress({ stage: "storing" });
  for (const part of parts) {
    if (have.has(part.platform)) continue;
    const { data } = await client.POST("/v1/ota/builds", {
      params: { header: { "Idempotency-Key": options.key } },
      headers: { "Content-Type": "application/json" },
      body: {
        platform: part.platform,
        runtimeVersion: options.runtimeVersion,
        message: options.message,
        ...given(options.git),
        metadata: exported.metadata,
        ...(exported.config && { clientConfig: exported.config }),
        files: part.files.map(({ path, file }) => ({ path, sha256: byFile.get(file)?.sha256 ?? "" })),
      } satisfies Schemas["NamedBuild"],
      bodySerializer: (body: unknown) => JSON.stringify(body),
    });
    if (data) have.set(part.platform, data);
  }
  return parts.map((part) => have.get(part.platform)).filter((build) => build !== undefined);
}

async function hashAll(files: FolderFile[], onProgress: (progress: Progress) => void): Promise<Hashed[]> {
  // Browsers offer the digest only to pages that nobody on the network can change.
  if (!globalThis.crypto?.subtle) throw new FolderError(strings.bad.insecure);
  const hashed: Hashed[] = [];
  for (const each of files) {
    onProgress({ stage: "hashing", done: hashed.length, all: files.length });
    hashed.push({ ...each, sha256: await sha256(each) });
  }
  return hashed;
}

async function sha256({ path, file }: FolderFile): Promise<string> {
  let content: ArrayBuffer;
  try {
    content = await file.arrayBuffer();
  } catch {
    throw new FolderError(strings.bad.unreadable(path));
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return btoa(String.fromCharCode(...digest)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Sends the files that the project does not have, one after the other. */
async function sendMissing(client: ApiClient, files: Hashed[], onProgress: (progress: Progress) => void) {
  const byContent = new Map(files.map((each) => [each.sha256, each]));
  const missing: Hashed[] = [];
  const distinct = [...byContent.values()];
  for (let at = 0; at < distinct.length; at += checkedTogether) {
    const some = distinct.slice(at, at + checkedTogether);
    const body = { files: some.map(({ sha256, file }) => ({ sha256, sizeBytes: file.size })) };
    const { data } = await client.POST("/v1/ota/builds/check", { body }).catch((error: unknown) => {
      throw tooLarge(asProblem(error), some);
    });
    missing.push(...(data?.missing ?? []).map((each) => byContent.get(each)).filter((each) => each !== undefined));
  }
  const all = missing.reduce((sum, { file }) => sum + file.size, 0);
  let done = 0;
  onProgress({ stage: "sending", done, all });
  for (const each of missing) {
    await sendFile(client, each, (sent) => onProgress({ stage: "sending", done: done + sent, all }));
    done += each.file.size;
  }
}

/** Returns the error about a file that is too large in the words of the page, and any other error as it is. */
function tooLarge(problem: Problem, files: Hashed[]): Error {
  for (const { field, message } of problem.fields) {
    const index = /files\[(\d+)\]\.sizeBytes$/.exec(field)?.[1];
    const each = index === undefined ? undefined : files[Number(index)];
    if (each && problem.status === 400) return new FolderError(strings.bad.tooLarge(each.path, bytes(each.file.size), message));
  }
  return problem;
}

/** Sends a file in parts. After a failure, continues at the offset that the server has. */
async function sendFile(client: ApiClient, each: Hashed, onSent: (bytes: number) => void) {
  const { size } = each.file;
  let at = size > partBytes ? await offsetOf(client, each) : 0;
  for (let tries = 0; at < size || size === 0; ) {
    const end = Math.min(size, at + partBytes);
    try {
      await client.PUT("/v1/ota/builds/files/{sha256}", {
        params: { path: { sha256: each.sha256 } },
        headers: { "Content-Type": "application/octet-stream", ...(end - at < size && { "Content-Range": `bytes ${at}-${end - 1}/${size}` }) },
        body: each.file.slice(at, end) as unknown as string,
        bodySerializer: (body) => body,
      });
      at = end;
      tries = 0;
      onSent(at);
      if (size === 0) return;
    } catch (error) {
      const problem = asProblem(error);
      const mayPass = problem.isOutage || problem.status === 416 || problem.status === 429;
      if (!mayPass || ++tries >= maxTries) throw problem;
      await new Promise((resolve) => setTimeout(resolve, Math.max(pause * tries, (problem.retryAfter ?? 0) * 1_000)));
      at = await offsetOf(client, each);
    }
  }
}

/** Returns how many bytes of the file the server has. */
async function offsetOf(client: ApiClient, { sha256, file }: Hashed): Promise<number> {
  try {
    const { response } = await client.HEAD("/v1/ota/builds/files/{sha256}", { params: { path: { sha256 } } });
    if (response.headers.get("Upload-Complete") === "?1") return file.size;
    return Number(response.headers.get("Upload-Offset") ?? 0);
  } catch (error) {
    if (asProblem(error).status === 404) return 0;
    throw error;
  }
}
