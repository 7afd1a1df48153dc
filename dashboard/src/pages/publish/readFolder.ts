import { Problem } from "@/api/problem";
import { strings } from "./strings";

const { bad } = strings;

export type Platform = "ios" | "android";

/** A file of a chosen folder, with its path inside the folder. */
export interface FolderFile {
  path: string;
  file: File;
}

/** The files of a folder that a person chose. */
export interface Folder {
  name: string;
  files: FolderFile[];
}

/** The part of an export for one platform. */
export interface PlatformExport {
  platform: Platform;
  /** The bundle, its assets and its source map. */
  files: FolderFile[];
  hasSourceMap: boolean;
  sizeBytes: number;
}

/** An export that `expo export` wrote. */
export interface Export {
  folder: string;
  platforms: PlatformExport[];
  metadata: Record<string, unknown>;
  /** The app's configuration in expoConfig.json, or null without that file. */
  config: Record<string, unknown> | null;
  /** The runtime version in the configuration, or "". */
  runtimeVersion: string;
}

/** An error whose message tells the person what is wrong with the folder, and what to do. */
export class FolderError extends Problem {
  constructor(message: string) {
    super({ status: 400, code: "bad_folder", detail: message });
  }
}

interface Metadata {
  fileMetadata?: Partial<Record<Platform, { bundle?: string; assets?: { path: string }[] }>>;
}

/** Returns the export in the folder. Throws a FolderError if the folder is not an export. */
export async function readFolder({ name, files }: Folder): Promise<Export> {
  const byPath = new Map(files.map((each) => [each.path, each]));
  const metadataFile = byPath.get("metadata.json");
  if (!metadataFile) throw new FolderError(withoutMetadata(name, files));
  const metadata = await object(metadataFile, bad.badMetadata);
  const named = (metadata as Metadata).fileMetadata ?? {};
  const platforms = (["ios", "android"] as const).flatMap((platform) => {
    const part = named[platform];
    if (!part?.bundle) return [];
    const bundle = slashed(part.bundle);
    const paths = [...new Set([bundle, ...(part.assets ?? []).map((asset) => slashed(asset.path))])];
    const found = paths.map((path) => {
      const file = byPath.get(path);
      if (!file) throw new FolderError(bad.missing(path));
      return file;
    });
    const map = byPath.get(`${bundle}.map`);
    const all = map ? [...found, map] : found;
    return [{ platform, files: all, hasSourceMap: map !== undefined, sizeBytes: all.reduce((sum, each) => sum + each.file.size, 0) }];
  });
  if (platforms.length === 0) throw new FolderError(bad.noBundle);
  const configFile = byPath.get("expoConfig.json");
  const config = configFile ? await object(configFile, bad.unreadable(configFile.path)) : null;
  const runtime = config?.runtimeVersion;
  return { folder: name, platforms, metadata, config, runtimeVersion: typeof runtime === "string" ? runtime : "" };
}

/** Returns why a folder without metadata.json is not an export. */
function withoutMetadata(name: string, files: FolderFile[]): string {
  const zip = files.find(({ path }) => /\.(zip|tar|tgz|gz)$/i.test(path) && !path.includes("/"));
  if (files.length === 0) return bad.empty;
  if (zip && files.length === 1) return bad.zip(zip.path);
  if (name === "") return bad.noFolder;
  if (files.some(({ path }) => /^(package|app)\.json$|^app\.config\.[jt]s$/.test(path))) return bad.app(name);
  return bad.noMetadata(name);
}

async function object({ path, file }: FolderFile, message: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await file.text();
  } catch {
    throw new FolderError(bad.unreadable(path));
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The error below has the message.
  }
  throw new FolderError(message);
}

/** Returns the path of an export that was made on Windows with forward slashes. */
const slashed = (path: string) => path.replaceAll("\\", "/");
