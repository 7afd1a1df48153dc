import type { Core } from './core';
import { WaftFlags } from './flags';
import type { Fetch } from './http';
import type { WaftOptions } from './settings';

/** Returns the flags of the core, which it creates with the options the first time. A response to stream can be read while it arrives. */
export function withFlags(core: Core, options: WaftOptions, stream: Fetch, Flags = WaftFlags): WaftFlags {
  const { platform, target } = core;
  core.parts.flags ??= new Flags({
    endpoint: {
      ...target, platform: platform.os, updateUuid: platform.launch.updateUuid, fetch: platform.fetch, stream,
      tell: (refusal) => {
        core.problems.tell(refusal);
      },
    },
    deviceId: core.deviceId, storage: core.storage, prefix: core.prefix, foreground: core.foreground, freeze: options.freezeFlags ?? false,
  });
  return core.parts.flags;
}
