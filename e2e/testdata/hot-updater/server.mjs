// Runs a server of hot-updater for a test. Arguments: the folder with its packages, a folder of files, a JSON file of bundles, and the URL of an
// empty Postgres database. It prints its address. The bundles are inserted through the server's own API, as hot-updater's CLI does.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [packages, files, bundles, databaseURL] = process.argv.slice(2);
const { resolve } = createRequire(join(packages, 'package.json'));
const load = async (name) => import(pathToFileURL(resolve(name)).href);
const { createHotUpdater } = await load('@hot-updater/server');
const { kyselyAdapter } = await load('@hot-updater/server/adapters/kysely');
const { createMigrator } = await load('@hot-updater/server/db');
const { Kysely, PostgresDialect } = await load('kysely');
const { default: pg } = await load('pg');

let address = '';
const storage = {
  name: 'files',
  supportedProtocol: 'files',
  profiles: {
    runtime: {
      getDownloadUrl: async (uri) => ({ fileUrl: `${address}/files/${new URL(uri).pathname.replace(/^\/+/, '')}` }),
      readText: async () => null,
    },
  },
};
const api = createHotUpdater({
  database: kyselyAdapter({ db: new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseURL }) }) }), provider: 'postgresql' }),
  storages: [() => storage],
  basePath: '/hot-updater',
  routes: { updateCheck: true, bundles: true },
});
await (await createMigrator(api).migrateToLatest({ mode: 'from-schema', updateSettings: true })).execute();

const server = createServer(async (req, res) => {
  if (req.url.startsWith('/files/')) {
    res.end(await readFile(join(files, req.url.slice('/files/'.length))));
    return;
  }
  const response = await api.handler(new Request(`${address}${req.url}`, { headers: req.headers }));
  res.writeHead(response.status, Object.fromEntries(response.headers));
  res.end(await response.text());
});
server.listen(0, '127.0.0.1', async () => {
  address = `http://127.0.0.1:${server.address().port}`;
  const inserted = await api.handler(new Request(`${address}/hot-updater/api/bundles`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: await readFile(bundles, 'utf8'),
  }));
  if (!inserted.ok) {
    throw new Error(await inserted.text());
  }
  console.log(address);
});
