/**
 * Health alone: reports launches, errors and crashes.
 *
 * @packageDocumentation
 */
import type { Health } from '../health';
import { sharedCore, usageOf } from '../core';
import { thisApp } from '../platform';
import type { WaftOptions } from '../settings';
import { withHealth } from '../withhealth';

/** Health without updates and flags. */
export interface HealthReporter extends Health {
  /** Starts reporting uncaught errors, and reports the launch. Has no effect if already started. */
  start(): void;
  /** Stops until the next start. Unsent reports stay stored. */
  stop(): void;
}

/**
 * Creates health for this app. Settings of updates and flags have no effect. The entries of this package that an app uses for the same
 * project share one device ID and one session, and the address, channel, storage and `enabled` of the first. Throws an error that names a
 * missing or wrong setting.
 */
export function createHealth(options: WaftOptions = {}): HealthReporter {
  const core = sharedCore(thisApp(), options);
  const health = withHealth(core, options);
  const usage = usageOf(core, health);
  return {
    captureException: (error, details) => {
      health.captureException(error, details);
    },
    track: (name, tags) => {
      health.track(name, tags);
    },
    setUser: (user) => {
      health.setUser(user);
    },
    addBreadcrumb: (breadcrumb) => {
      health.addBreadcrumb(breadcrumb);
    },
    setConsent: (isGiven) => {
      health.setConsent(isGiven);
    },
    flush: () => health.flush(),
    start: () => {
      usage.start();
      // If updates have begun the session alone, its end did not count as a fault until now.
      void core.session.mark({ ended: !core.foreground.isActive });
    },
    stop: usage.stop,
  };
}

export type { Breadcrumb } from '../breadcrumbs';
export type { ErrorDetails, HealthEvent, HealthEventType } from '../event';
export type { BeforeSend, Health } from '../health';
export type { OnError, WaftError } from '../problems';
export type { NewBreadcrumb, User } from '../scope';
export type { WaftOptions } from '../settings';
export type { KeyValueStorage } from '../storage';
