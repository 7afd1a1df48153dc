import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { generate } from '../tools/generate.mjs';
import { plain } from '../tools/pagetext.mjs';

/** Returns the problems of an entry with this source, and the text of its page. */
async function pageOf(source, folder) {
  writeFileSync(join(folder, 'tsconfig.json'), '{"compilerOptions": {"strict": true, "types": [], "skipLibCheck": true}, "files": ["index.ts"]}');
  writeFileSync(join(folder, 'index.ts'), source);
  const problems = await generate({ folder, tsconfig: 'tsconfig.json', entries: { shop: ['shop', 'index.ts'] } }, join(folder, 'out'));
  return { problems, page: plain(readFileSync(join(folder, 'out', 'shop.md'), 'utf8'), '@example/shop') };
}

test('a page has each setting with its description and default', async ({}, testInfo) => {
  const { problems, page } = await pageOf(`
    /** Settings of the shop. */
    export interface Options {
      /** Name of the shop. */
      name: string;
      /**
       * Milliseconds between two visits.
       *
       * @defaultValue \`30000\`
       */
      pauseMs?: number;
    }
    /** Opens the shop. */
    export function open(options: Options): void { console.log(options.name); }
  `, testInfo.outputPath());
  expect(problems).toEqual([]);
  expect(page).toMatch(/^# @example\/shop\n/);
  expect(page).toMatch(/`name` \| `string` \| required \| Name of the shop\. \|/);
  expect(page).toMatch(/`pauseMs\?` \| `number` \| `30000` \| Milliseconds between two visits\. \|/);
  expect(page).toContain('function open(options: Options): void;');
});

test('a setting without a default or a description is a problem', async ({}, testInfo) => {
  const { problems } = await pageOf(`
    /** Settings of the shop. */
    export interface Options {
      /** Milliseconds between two visits. */
      pauseMs?: number;
      name: string;
    }
  `, testInfo.outputPath());
  expect(problems).toHaveLength(2);
  expect(problems[0]).toContain('Options.name (Property)');
  expect(problems[1]).toBe('Options.pauseMs is optional: write its default as @defaultValue');
});
