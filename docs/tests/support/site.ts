import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base } from '@playwright/test';

/** site is the folder of the built site. */
const site = fileURLToPath(new URL('../../../build/site', import.meta.url));

const types: Record<string, string> = {
  '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json', '.png': 'image/png', '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** addresses has the address of every page of the site. */
export const addresses = readdirSync(site, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.html') && file !== '404.html').sort()
  .map((file) => '/' + file);

/** fileOf returns the file of the site for an address, as any web server finds it. */
function fileOf(address: string): string | undefined {
  const path = join(site, decodeURIComponent(address).replace(/\/$/, '/index.html'));
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined;
}

/** test has the built site on a server on loopback. It fails if a page requests another host, throws, or logs an error. */
export const test = base.extend<{ problems: string[] }, { server: string }>({
  server: [async ({}, use) => {
    const server = createServer((request, response) => {
      const file = fileOf(new URL(request.url ?? '/', 'http://site.invalid').pathname);
      const shown = file ?? join(site, '404.html');
      response.writeHead(file === undefined ? 404 : 200, { 'content-type': types[extname(shown)] ?? 'application/octet-stream' });
      response.end(readFileSync(shown));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }, { scope: 'worker' }],
  baseURL: async ({ server }, use) => {
    await use(server);
  },
  problems: [async ({ context, server }, use) => {
    const found: string[] = [];
    context.on('request', (request) => {
      if (!request.url().startsWith(server + '/') && !request.url().startsWith('data:')) found.push(`requests ${request.url()}`);
    });
    context.on('weberror', (error) => found.push(error.error().message));
    context.on('console', (message) => {
      if (message.type() === 'error') found.push(message.text());
    });
    await use(found);
    base.expect(found).toEqual([]);
  }, { auto: true }],
});

export { expect } from '@playwright/test';
