import { Consent } from './consent';
import type { Core } from './core';
import { DeviceHealth } from './health';
import { postJSON } from './http';
import { randomId } from './ids';
import type { WaftOptions } from './settings';

/** Returns the health of the core, which it creates with the options the first time. */
export function withHealth(core: Core, options: WaftOptions): DeviceHealth {
  const { platform, target, deviceId } = core;
  if (!core.parts.health && options.enabled === undefined && !platform.isDevelopment && platform.hasUpdates === false) {
    void Promise.resolve().then(() => {
      core.problems.tellDisabled();
    });
  }
  core.parts.health ??= new DeviceHealth({
    enabled: core.enabled, origin: core.origin, launch: platform.launch, storage: core.own, prefix: core.prefix,
    session: core.session, foreground: core.foreground,
    consent: new Consent(core.storage, `${core.prefix}/consent`, options.requireConsent ?? false, options.sampleRate ?? 1, deviceId),
    sendPersonalData: options.sendPersonalData ?? false,
    beforeSend: options.beforeSend,
    newKey: randomId,
    flagStates: () => core.parts.flags?.states() ?? {},
    readLog: (age) => platform.readLog(age),
    post: async ({ key, origin: of, events }) =>
      postJSON(platform.fetch, `${target.url}/v1/ota/health-metrics`, { 'idempotency-key': key }, {
        projectSlug: target.project, deviceId: await deviceId, platform: platform.os, ...of, events,
      }),
    tell: (refusal) => {
      core.problems.tell(refusal);
    },
    tellHook: (mistake) => {
      core.problems.tellHook(mistake);
    },
  });
  return core.parts.health;
}
