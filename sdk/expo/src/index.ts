import { wholeCore } from './core';
import { expoUpdates } from './expoupdates';
import { thisApp } from './platform';
import type { WaftOptions } from './settings';
import { stream } from './stream';
import { waftOf, type Waft } from './waft';

/** Creates health, updates and flags for this app. Throws an error that names a missing or wrong setting. */
export function createWaft(options: WaftOptions = {}): Waft {
  return waftOf(wholeCore(thisApp(), options), options, { updates: expoUpdates, stream });
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
