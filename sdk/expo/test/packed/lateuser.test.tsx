// @vitest-environment happy-dom
import type * as Hooks from '@openfeature/react-sdk';
import { OpenFeature, TypedInMemoryProvider } from '@openfeature/web-sdk';
import { StrictMode, useLayoutEffect, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { minute, pass } from '../app';
import { makePhone, type Phone, type Process } from './phone';

/** React renders in tasks of its own, which fake timers do not run. */
const task = setImmediate;

let phone: Phone;
let app: Process;
let hooks: typeof Hooks;
let root: ReturnType<typeof createRoot> | undefined;
/** The texts that the app has shown since its start, without repetitions. */
let frames: string[];
let version: string;

beforeEach(() => {
  phone = makePhone();
  version = 'v1';
  phone.server.flagsOf = (user) => ({ title: { value: `${user ?? 'guest'} ${version}`, variant: 'x', reason: 'TARGETING_MATCH' } });
});

afterEach(async () => {
  await end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Lets fake time pass, in steps that are short at first, and lets React render after each. */
async function live(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; ) {
    const step = Math.min(ms - passed, passed < 20 ? 1 : 500);
    await pass(step);
    passed += step;
    await new Promise<void>((resolve) => task(resolve));
  }
}

async function end(): Promise<void> {
  root?.unmount();
  root = undefined;
  await phone.kill();
  await OpenFeature.clearProviders();
  await OpenFeature.clearContexts();
  await live(10);
}

/** Starts the app, which has a provider and a context of its own. */
async function start(isHeld = false): Promise<void> {
  await end();
  frames = [];
  app = await phone.begin();
  hooks = await import('@openfeature/react-sdk');
  const own = new TypedInMemoryProvider({ price: { variants: { it: 5 }, defaultVariant: 'it', disabled: false } });
  OpenFeature.setProvider(own, { tenant: 'north' });
  root = createRoot(document.createElement('main'));
  await show(undefined, isHeld);
}

/** Renders the app with a screen that waits for its flags, or with `loading` and a screen that does not. */
async function show(user: string | undefined, isHeld = false): Promise<void> {
  const context = user === undefined ? undefined : { targetingKey: user };
  root?.render(
    <StrictMode>
      <app.module.WaftProvider waft={app.waft} domain="waft" context={context} loading={isHeld ? <Frame>splash</Frame> : undefined}>
        {isHeld ? <Hasty /> : <Screen />}
      </app.module.WaftProvider>
    </StrictMode>,
  );
  await live(20);
}

function Screen(): ReactNode {
  const title = hooks.useStringFlagValue('title', 'default');
  const isWaiting = hooks.useOpenFeatureClientStatus() === hooks.ProviderStatus.NOT_READY;
  return <Frame>{isWaiting ? 'splash' : `${title}, ${OpenFeature.getClient().getNumberValue('price', 0)}`}</Frame>;
}

/** A screen as most are: it does not look at the status of its flags. */
function Hasty(): ReactNode {
  return <Frame>{hooks.useStringFlagValue('title', 'default')}</Frame>;
}

/** Shows a text, and adds it to the frames. */
function Frame({ children }: { children: string }): ReactNode {
  useLayoutEffect(() => {
    if (frames.at(-1) !== children) {
      frames.push(children);
    }
  });
  return children;
}

it('shows the right flags from its first frame to a user who signs in late, with another provider and ten minutes without network', async () => {
  await start();
  await live(2000);
  await show('ada');
  await live(minute);
  expect(frames).toEqual(['splash', 'guest v1, 5', 'ada v1, 5']);

  phone.server.network = 'off';
  version = 'v2';
  await start();
  await live(2000);
  await show('ada');
  await live(10 * minute);
  const client = OpenFeature.getClient('waft');
  expect(frames).toEqual(['splash', 'guest v1, 5', 'ada v1, 5']);
  expect(client.providerStatus).toBe('STALE');
  phone.server.network = 'on';
  await live(2 * minute);
  expect(frames).toEqual(['splash', 'guest v1, 5', 'ada v1, 5', 'ada v2, 5']);
  expect(client.providerStatus).toBe('READY');
  expect(OpenFeature.getContext()).toEqual({ tenant: 'north' });

  await show(undefined);
  await live(minute);
  expect(frames.slice(4)).toEqual(['guest v2, 5']);
});

it('shows `loading` until the flags are known, so that screens do not have to wait for them', async () => {
  await start(true);
  await live(2000);
  await show('ada', true);
  await live(minute);
  expect(frames).toEqual(['splash', 'guest v1', 'ada v1']);

  phone.server.network = 'off';
  await start(true);
  await show('ada', true);
  await live(10 * minute);
  expect(frames).toEqual(['splash', 'guest v1', 'ada v1']);
});

it('shows the defaults after `loading` for four seconds if no flags are known, and keeps the screen when they come', async () => {
  phone.server.network = 'silent';
  await start(true);
  await live(3500);
  expect(frames).toEqual(['splash']);
  await live(1000);
  expect(frames).toEqual(['splash', 'default']);
  phone.server.network = 'on';
  await live(2 * minute);
  expect(frames).toEqual(['splash', 'default', 'guest v1']);
});
