/**
 * Flags alone, as a provider for OpenFeature's web and React SDKs.
 *
 * @packageDocumentation
 */
import type { EvaluationContext, Provider } from '@openfeature/web-sdk';
import { sharedCore, usageOf, type Running } from '../core';
import { WaftFlags } from '../flags';
import { thisApp } from '../platform';
import type { WaftOptions } from '../settings';
import { stream } from '../stream';
import { withFlags } from '../withflags';

/** Flags that OpenFeature starts and stops. */
class ProvidedFlags extends WaftFlags {
  usage: Running | undefined;

  override async initialize(context?: EvaluationContext): Promise<void> {
    this.usage?.start();
    await super.initialize(context);
  }

  override async onClose(): Promise<void> {
    await super.onClose();
    this.usage?.stop();
  }
}

/**
 * Creates a provider for OpenFeature's web and React SDKs. Settings of health and updates have no effect. The entries of this package that
 * an app uses for the same project share one device ID, and the address, channel and storage of the first. Throws an error that names a
 * missing or wrong setting.
 */
export function createFlags(options: WaftOptions = {}): Provider {
  const core = sharedCore(thisApp(), options);
  const flags = withFlags(core, options, stream, ProvidedFlags);
  if (flags instanceof ProvidedFlags) {
    flags.usage ??= usageOf(core, flags);
  }
  return flags;
}

export type { BeforeSend } from '../health';
export type { Breadcrumb } from '../breadcrumbs';
export type { ErrorDetails, HealthEvent, HealthEventType } from '../event';
export type { OnError, WaftError } from '../problems';
export type { WaftOptions } from '../settings';
export type { KeyValueStorage } from '../storage';
