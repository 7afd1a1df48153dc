import type { Folder, FolderFile } from "./readFolder";

/** Returns the folder that was chosen in a file field. Its files have paths that begin with the folder's name. */
export function folderOfField(list: FileList): Folder {
  const files = [...list];
  const name = files[0]?.webkitRelativePath.split("/")[0] ?? "";
  return { name, files: files.map((file) => ({ path: file.webkitRelativePath.slice(name.length + 1) || file.name, file })) };
}

/** Returns the folder that was dragged into the page. The entries must be taken from the event before the first await. */
export async function folderOfDrop(data: DataTransfer): Promise<Folder> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const loose = [...data.files];
  const [only] = entries;
  if (entries.length === 1 && only?.isDirectory) return { name: only.name, files: await filesBelow(only as FileSystemDirectoryEntry, "") };
  const folders = entries.filter((entry) => entry.isDirectory) as FileSystemDirectoryEntry[];
  const inFolders = await Promise.all(folders.map((folder) => filesBelow(folder, `${folder.name}/`)));
  const names = new Set(folders.map((folder) => folder.name));
  const files = loose.filter((file) => !names.has(file.name)).map((file) => ({ path: file.name, file }));
  return { name: "", files: [...files, ...inFolders.flat()] };
}

async function filesBelow(folder: FileSystemDirectoryEntry, prefix: string): Promise<FolderFile[]> {
  const reader = folder.createReader();
  const found: FolderFile[] = [];
  for (;;) {
    // A reader returns a part of the entries at a time, and none after the last.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return found;
    for (const entry of entries) {
      if (entry.isDirectory) found.push(...(await filesBelow(entry as FileSystemDirectoryEntry, `${prefix}${entry.name}/`)));
      else {
        const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
        found.push({ path: prefix + entry.name, file });
      }
    }
  }
}
