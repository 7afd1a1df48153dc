/**
 * Health, updates and flags of an Expo app, with React components and hooks.
 *
 * @packageDocumentation
 */
import { wholeCore, type Core } from './core';
import { expoUpdates } from './expoupdates';
import { thisApp } from './platform';
import type { WaftOptions } from './settings';
import { stream } from './stream';
import { waftOf, type Waft } from './waft';

/** The Waft of each core. */
const wafts = /* @__PURE__ */ new WeakMap<Core, Waft>();

/**
 * Creates health, updates and flags for this app. Called again with the same settings, returns the same Waft, which keeps the functions of
 * the first call. Throws an error that names a missing or wrong setting.
 */
export function createWaft(options: WaftOptions = {}): Waft {
  const core = wholeCore(thisApp(), options);
  const waft = wafts.get(core) ?? waftOf(core, options, { updates: expoUpdates, stream });
  wafts.set(core, waft);
  return waft;
}

export type { Breadcrumb } from './breadcrumbs';
export type { ErrorDetails, HealthEvent, HealthEventType } from './event';
export type { BeforeSend, Health } from './health';
export type { OnError, WaftError } from './problems';
export { WaftErrorBoundary, WaftProvider, useWaft, useWaftUpdates } from './react';
export type { WaftErrorBoundaryProps, WaftProviderProps, WaftUpdates } from './react';
export type { NewBreadcrumb, User } from './scope';
export type { WaftOptions } from './settings';
export type { KeyValueStorage } from './storage';
export type { Updates } from './updates';
export type { UpdateInfo, UpdatesState, UpdateStatus } from './updatestate';
export type { Waft } from './waft';
