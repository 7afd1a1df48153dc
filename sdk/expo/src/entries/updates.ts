/**
 * Updates alone.
 *
 * @packageDocumentation
 */
import { sharedCore, usageOf } from '../core';
import { expoUpdates } from '../expoupdates';
import { thisApp } from '../platform';
import type { WaftOptions } from '../settings';
import type { Updates } from '../updates';
import { withUpdates } from '../withupdates';

/** Updates without health and flags. The functions work without `this`, so `useSyncExternalStore` can call them. */
export interface UpdateChecker extends Updates {
  /** Follows the check of expo-updates, and makes at most one more per launch. Has no effect if already started. */
  start(): void;
  /** Stops until the next start. */
  stop(): void;
}

/**
 * Creates updates for this app. Settings of health and flags have no effect. The entries of this package that an app uses for the same
 * project share one device ID and one session, and the address, channel, storage and `enabled` of the first. Throws an error that names a
 * missing or wrong setting.
 */
export function createUpdates(options: WaftOptions = {}): UpdateChecker {
  const core = sharedCore(thisApp(), options);
  const updates = withUpdates(core, options, expoUpdates);
  const usage = usageOf(core, updates);
  return {
    get state() {
      return updates.state;
    },
    subscribe: (listener) => updates.subscribe(listener),
    check: () => updates.check(),
    restart: () => updates.restart(),
    start: () => {
      if (core.enabled && !core.parts.health) {
        // The session keeps for which update the app was restarted. Without health, its end is never a fault.
        void core.session.begin(core.origin, true);
      }
      usage.start();
    },
    stop: usage.stop,
  };
}

export type { BeforeSend } from '../health';
export type { Breadcrumb } from '../breadcrumbs';
export type { ErrorDetails, HealthEvent, HealthEventType } from '../event';
export type { OnError, WaftError } from '../problems';
export type { WaftOptions } from '../settings';
export type { KeyValueStorage } from '../storage';
export type { Updates } from '../updates';
export type { UpdateInfo, UpdatesState, UpdateStatus } from '../updatestate';
