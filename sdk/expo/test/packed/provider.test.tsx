// @vitest-environment happy-dom
import type * as Hooks from '@openfeature/react-sdk';
import { TypedInMemoryProvider, OpenFeature, type EvaluationContext } from '@openfeature/web-sdk';
import { act, StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pass } from '../app';
import { makePhone, type Phone, type Process } from './phone';

let phone: Phone;
let app: Process;
let hooks: typeof Hooks;
let page: HTMLElement;
let root: ReturnType<typeof createRoot>;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  phone = makePhone();
  phone.server.flagsOf = (user) => ({ who: { value: user ?? 'nobody', variant: 'x', reason: 'TARGETING_MATCH' } });
  await begin();
  page = document.createElement('main');
  root = createRoot(page);
});

afterEach(async () => {
  await act(async () => {
    root.unmount();
    await phone.kill();
    await OpenFeature.clearProviders();
    await OpenFeature.clearContexts();
  });
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function begin(): Promise<void> {
  app = await phone.begin({ enabled: false });
  hooks = await import('@openfeature/react-sdk');
}

async function show(content: ReactNode): Promise<void> {
  await act(async () => {
    root.render(content);
    await pass(1000);
  });
}

const Who = (): ReactNode => hooks.useStringFlagValue('who', 'default');

interface Props {
  domain?: string;
  context?: EvaluationContext;
}

/** The app, whose only screen shows the user that the flags are for. */
const screen = (props: Props = {}, inside: ReactNode = <Who />): ReactNode => (
  <StrictMode>
    <app.module.WaftProvider waft={app.waft} {...props}>{inside}</app.module.WaftProvider>
  </StrictMode>
);

/** Another provider, as an app may have it. */
const other = (): TypedInMemoryProvider =>
  new TypedInMemoryProvider({ who: { variants: { it: 'other' }, defaultVariant: 'it', disabled: false } });

it('keeps the context that the app has given to OpenFeature, before and after', async () => {
  await OpenFeature.setContext({ targetingKey: 'ada' });
  await show(screen());
  expect([page.textContent, OpenFeature.getContext()]).toEqual(['ada', { targetingKey: 'ada' }]);
  expect(phone.server.bulks).toMatchObject([{ targetingKey: 'ada' }]);
  await act(() => OpenFeature.setContext({ targetingKey: 'eve' }));
  await show(screen());
  expect([page.textContent, OpenFeature.getContext()]).toEqual(['eve', { targetingKey: 'eve' }]);
});

it('sets a context while one is given, and clears it when the user signs out', async () => {
  await show(screen());
  await show(screen({ context: { targetingKey: 'ada' } }));
  expect(page.textContent).toBe('ada');
  await show(screen());
  expect([page.textContent, OpenFeature.getContext()]).toEqual(['nobody', {}]);
  await show(screen({ context: { targetingKey: 'eve' } }));
  await show(null);
  await show(screen());
  expect([page.textContent, OpenFeature.getContext()]).toEqual(['nobody', {}]);
  await show(screen({ context: { targetingKey: 'ada' } }));
  await act(() => OpenFeature.setContext({ targetingKey: 'bob' }));
  await show(screen());
  expect([page.textContent, OpenFeature.getContext()]).toEqual(['bob', { targetingKey: 'bob' }]);
});

it('leaves the default domain and its context to the app when it has a domain', async () => {
  await OpenFeature.setProviderAndWait(other(), { targetingKey: 'bob' });
  const seen = (): unknown => [page.textContent, OpenFeature.getClient().getStringValue('who', 'default'), OpenFeature.getContext()];
  await show(screen({ domain: 'waft' }));
  expect(seen()).toEqual(['bob', 'other', { targetingKey: 'bob' }]);
  await show(screen({ domain: 'waft', context: { targetingKey: 'ada' } }));
  expect(seen()).toEqual(['ada', 'other', { targetingKey: 'bob' }]);
  await show(screen({ domain: 'waft' }));
  expect(seen()).toEqual(['bob', 'other', { targetingKey: 'bob' }]);
  await act(() => OpenFeature.setContext({ targetingKey: 'eve' }));
  expect(seen()).toEqual(['eve', 'other', { targetingKey: 'eve' }]);
  expect(console.warn).not.toHaveBeenCalled();
});

it('does not take the default domain from another provider, and says so in development', async () => {
  for (const isDevelopment of [true, false]) {
    vi.stubGlobal('__DEV__', isDevelopment);
    await begin();
    vi.mocked(console.warn).mockClear();
    const close = vi.fn(() => Promise.resolve());
    await OpenFeature.setProviderAndWait(Object.assign(other(), { onClose: close }), { targetingKey: 'bob' });
    await show(screen({ context: { targetingKey: 'ada' } }));
    expect([page.textContent, OpenFeature.getContext(), phone.server.bulks]).toEqual(['other', { targetingKey: 'bob' }, []]);
    expect(close).not.toHaveBeenCalled();
    const told = expect.stringContaining('<WaftProvider waft={waft} domain="waft">') as unknown;
    expect(vi.mocked(console.warn).mock.calls).toEqual(isDevelopment ? [[told]] : []);
    await show(null);
  }
});

it('leaves the hooks to an outer OpenFeatureProvider when another provider keeps the default domain', async () => {
  await OpenFeature.setProviderAndWait(other());
  await OpenFeature.setProviderAndWait('shop', new TypedInMemoryProvider({ who: { variants: { it: 'shop' }, defaultVariant: 'it', disabled: false } }));
  await show(<hooks.OpenFeatureProvider domain="shop">{screen()}</hooks.OpenFeatureProvider>);
  expect(page.textContent).toBe('shop');
});

it('replaces the provider of modules that were loaded before', async () => {
  await show(screen({ context: { targetingKey: 'ada' } }));
  await begin();
  await show(screen({ context: { targetingKey: 'eve' } }));
  expect(page.textContent).toBe('eve');
  expect(console.warn).not.toHaveBeenCalled();
});

it('does not log an error when a first start has no network', async () => {
  phone.server.network = 'off';
  await show(screen());
  expect([page.textContent, OpenFeature.getClient().providerStatus]).toEqual(['default', 'ERROR']);
  expect(console.error).not.toHaveBeenCalled();
  phone.server.network = 'on';
  await act(() => pass(60_000));
  expect(page.textContent).toBe('nobody');
});

it('says what is missing: the Waft of a provider, the provider of a hook, and the type of a flag', async () => {
  await expect(show(<app.module.WaftProvider waft={undefined as never}>x</app.module.WaftProvider>)).rejects.toThrow('needs the result of createWaft');
  const Updates = (): ReactNode => app.module.useWaftUpdates().status;
  await expect(show(<Updates />)).rejects.toThrow('useWaftUpdates need a <WaftProvider> above');
  await show(screen());
  expect(OpenFeature.getClient().getBooleanDetails('who', false).errorMessage).toBe('the flag "who" is of type string; read it as one');
});

it('says in development that a boundary outside of the provider does not report', async () => {
  vi.stubGlobal('__DEV__', true);
  const Broken = (): ReactNode => {
    throw new Error('no price');
  };
  await show(<app.module.WaftErrorBoundary fallback="Sorry"><Broken /></app.module.WaftErrorBoundary>);
  expect(page.textContent).toBe('Sorry');
  expect(vi.mocked(console.warn).mock.calls).toEqual([[expect.stringContaining('put it inside <WaftProvider>')]]);
});
