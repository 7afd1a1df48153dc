import type { Provider } from '@openfeature/web-sdk';
import { coreIn, usageOf, type Core } from './core';
import type { Health } from './health';
import type { Fetch } from './http';
import type { Platform } from './platform';
import type { WaftOptions } from './settings';
import type { Updates, UpdatesModule } from './updates';
import { withFlags } from './withflags';
import { withHealth } from './withhealth';
import { withUpdates } from './withupdates';

/** A platform with everything that a Waft uses. */
export interface WholePlatform extends Platform {
  updates: UpdatesModule;
  /** A fetch whose response can be read while it arrives. */
  stream: Fetch;
}

/** Health, updates and flags of this app. */
export interface Waft {
  /** Reports events and errors. */
  readonly health: Health;
  /** Checks for updates. */
  readonly updates: Updates;
  /** The provider for OpenFeature's web and React SDKs. */
  readonly flags: Provider;
  /** Starts reporting errors and checking for updates, and reports the launch. Has no effect if already started. WaftProvider calls it. */
  start(): void;
  /**
   * Stops health, updates and following flags until the next start: no timer, listener or connection remains. Flags keep their values, and
   * unsent reports stay stored.
   */
  stop(): void;
}

/** Creates a Waft for the given platform. Throws if a setting is missing or wrong. */
export function waftIn(platform: WholePlatform, options: WaftOptions): Waft {
  return waftOf(coreIn(platform, options), options, platform);
}

/** Creates a Waft with all parts of the core. */
export function waftOf(core: Core, options: WaftOptions, { updates: module, stream }: Pick<WholePlatform, 'updates' | 'stream'>): Waft {
  const flags = withFlags(core, options, stream);
  const health = withHealth(core, options);
  const updates = withUpdates(core, options, module);
  const [ofFlags, ofHealth, ofUpdates] = [usageOf(core, flags), usageOf(core, health), usageOf(core, updates)];
  return {
    health, updates, flags,
    start: () => {
      ofFlags.start();
      ofHealth.start();
      ofUpdates.start();
    },
    stop: () => {
      ofUpdates.stop();
      ofHealth.stop();
      ofFlags.stop();
    },
  };
}
