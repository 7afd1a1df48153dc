import { readFileSync } from 'node:fs';
import { OpenFeature } from '@openfeature/web-sdk';
import * as React from 'react';
import { expect, it } from 'vitest';
import own from '../package.json' with { type: 'json' };
import oldest from '../../oldest/package.json' with { type: 'json' };
import types from '../peers.json' with { type: 'json' };

declare const __PEERS__: 'newest' | 'oldest';

it('runs with the versions that it is said to run with', () => {
  const wanted = __PEERS__ === 'oldest' ? oldest.dependencies : own.devDependencies;
  expect(React.version).toBe(wanted.react);
  const installed = `${__PEERS__ === 'oldest' ? '../oldest/' : '../'}node_modules/@openfeature/web-sdk/package.json`;
  expect((JSON.parse(readFileSync(installed, 'utf8')) as { version: string }).version).toBe(wanted['@openfeature/web-sdk']);
  expect(OpenFeature.providerMetadata).toBeDefined();
});

it('supports peers from the oldest to the newest version that are tested', () => {
  const tested: Record<string, string> = { ...types.oldest, ...oldest.dependencies };
  const newest: Record<string, string> = { ...types.newest, ...own.devDependencies };
  for (const [name, range] of Object.entries(own.peerDependencies)) {
    const { from, below } = /^(?:>=|\^)(?<from>[\d.]+)(?: <(?<below>[\d.]+))?$/.exec(range)?.groups ?? {};
    expect(from, name).toBe(tested[name]);
    expect(newest[name], name).toBeDefined();
    expect(below === undefined || Number.parseFloat(newest[name] ?? '') < Number.parseFloat(below), name).toBe(true);
  }
});
