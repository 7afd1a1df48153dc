import { vi } from 'vitest';
import type { Context } from '../src/context.js';
import type { Definitions, FlagDefinition } from '../src/definitions.js';

/** Returns a flag that is on and has no rules. */
export function flag(parts: Partial<FlagDefinition> = {}): FlagDefinition {
  return {
    key: 'dark', flagType: 'boolean', defaultValue: false, enabled: true, releaseOverrides: [], rules: [],
    variations: [{ name: 'On', value: true }, { name: 'Off', value: false }], ...parts,
  };
}

/** Returns a context with attributes. */
export function contextWith(attributes: Record<string, unknown>, parts: Partial<Context> = {}): Context {
  return {
    targetingKey: '', deviceId: '', channel: '', platform: '', runtimeVersion: '', updateUuid: '', update: undefined, now: 0, attributes, ...parts,
  };
}

/** The settings of a provider in tests. */
export const options = { url: 'https://waft.example', project: 'shop', channel: 'production', pollIntervalMs: 10_000, stream: false };

/** A fake server that replaces fetch. */
export class FakeServer {
  definitions: Definitions = { flags: [flag()], disabledFlags: [], updates: [], version: '1' };
  /** Makes requests fail: with a status, or like a lost connection. A hanging request has no response until release. */
  failing: number | 'lost' | 'refused' | 'hanging' | undefined;
  retryAfter = '';
  /** The explanation in responses with a failing status. */
  detail = '';
  /** The paths of requests for definitions, with their ETags. */
  asked: (string | null)[] = [];
  /** The reports that arrived, including reports whose response was lost. */
  reports: { projectSlug: string; channel: string; evaluations: Record<string, unknown>[] }[] = [];
  /** The open streams. */
  streams: ReadableStreamDefaultController<Uint8Array>[] = [];

  private readonly hanging: (() => void)[] = [];

  constructor() {
    vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => this.answer(new URL(url), init));
  }

  /** Changes the flags. */
  publish(...flags: FlagDefinition[]): void {
    this.definitions = { ...this.definitions, flags, version: `${this.definitions.version}+` };
  }

  /** Lets the server respond to all requests, including hanging requests. */
  release(): void {
    this.failing = undefined;
    for (const respond of this.hanging.splice(0)) respond();
  }

  /** Sends text on every open stream. */
  tell(text: string): void {
    for (const stream of this.streams) stream.enqueue(new TextEncoder().encode(text));
  }

  private answer(url: URL, init: RequestInit): Promise<Response> {
    const { pathname } = url;
    if (this.failing === 'hanging') {
      return new Promise((resolve, reject) => {
        this.hanging.push(() => { resolve(this.answer(url, init)); });
        init.signal?.addEventListener('abort', () => { reject(init.signal?.reason as Error); });
      });
    }
    if (this.failing === 'refused') {
      return Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }));
    }
    const isReport = pathname === '/v1/ota/flag-evaluations';
    if (isReport && typeof this.failing !== 'number') this.reports.push(JSON.parse(init.body as string) as FakeServer['reports'][0]);
    if (this.failing === 'lost') return Promise.reject(new TypeError('fetch failed'));
    if (this.failing) {
      const headers = { 'Retry-After': this.retryAfter, ...(this.detail && { 'Content-Type': 'application/problem+json' }) };
      const problem = JSON.stringify({ status: this.failing, code: 'not_found', detail: this.detail });
      return Promise.resolve(new Response(this.detail ? problem : null, { status: this.failing, headers }));
    }
    if (isReport) return Promise.resolve(new Response(null, { status: 204 }));
    if (pathname.startsWith('/v1/ota/flag-stream/')) {
      const body = new ReadableStream<Uint8Array>({ start: (stream) => void this.streams.push(stream) });
      init.signal?.addEventListener('abort', () => {
        for (const stream of this.streams.splice(0)) stream.error(new Error('aborted'));
      });
      return Promise.resolve(new Response(body));
    }
    const known = new Headers(init.headers).get('If-None-Match');
    this.asked.push(known);
    const etag = `"${this.definitions.version}"`;
    if (known === etag) return Promise.resolve(new Response(null, { status: 304 }));
    return Promise.resolve(new Response(JSON.stringify(this.definitions), { headers: { ETag: etag } }));
  }
}
