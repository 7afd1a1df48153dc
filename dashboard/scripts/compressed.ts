import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

/** Writes a .br and a .gz variant next to each built file, if the variant is smaller. */
export function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    async writeBundle({ dir }) {
      if (!dir) return;
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      await Promise.all(
        entries
          .filter((entry) => entry.isFile() && /\.(js|css|html|svg|webmanifest)$/.test(entry.name))
          .map((entry) => compress(join(entry.parentPath, entry.name))),
      );
    },
  };
}

async function compress(path: string) {
  const content = await readFile(path);
  const variants = {
    br: await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    gz: await promisify(gzip)(content, { level: 9 }),
  };
  for (const [suffix, variant] of Object.entries(variants)) {
    if (variant.length < content.length) await writeFile(`${path}.${suffix}`, variant);
  }
}
