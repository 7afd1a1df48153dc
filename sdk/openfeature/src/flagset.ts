import type { Context } from './context.js';
import type { Definitions, DisabledFlag, FlagDefinition, UpdateDefinition } from './definitions.js';
import { type Flag, compileDisabled, compileFlag } from './flag.js';

/** The flags of a channel. Each flag is compiled when it is first evaluated. */
export class FlagSet {
  /** A version that changes exactly when the definitions change. */
  readonly version: string;
  /** The definitions of each flag by key. A flag that is off but overridden by a release has both. */
  private readonly definitions = new Map<string, { flag?: FlagDefinition; disabled?: DisabledFlag }>();
  private readonly compiled = new Map<string, Flag>();
  private readonly updates: ReadonlyMap<string, UpdateDefinition>;
  /** The JSON of each flag's definitions, to compare them. */
  private readonly texts = new Map<string, string>();
  private readonly updatesText: string;

  /** Reads the server's response. Throws an error if the response is something else. */
  constructor(d: Definitions) {
    this.version = d.version;
    for (const flag of d.flags) this.definitions.set(flag.key, { flag });
    for (const disabled of d.disabledFlags) {
      this.definitions.set(disabled.key, { ...this.definitions.get(disabled.key), disabled });
    }
    this.updates = new Map(d.updates.map((u) => [u.updateUuid, u]));
    for (const [key, definition] of this.definitions) this.texts.set(key, JSON.stringify(definition));
    this.updatesText = JSON.stringify(d.updates);
  }

  /** Returns the flag with the key. */
  flag(key: string): Flag | undefined {
    const known = this.compiled.get(key);
    const definition = this.definitions.get(key);
    if (known || !definition) return known;
    const { flag, disabled } = definition;
    const made = flag ? compileFlag(flag) : disabled && compileDisabled(disabled);
    if (made) this.compiled.set(key, made);
    return made;
  }

  /** Returns the release with an update ID. */
  update(updateUuid: string): Context['update'] {
    return this.updates.get(updateUuid);
  }

  /** Returns the keys of flags that were changed, added or removed since before. */
  changedSince(before: FlagSet): string[] {
    const keys = new Set([...before.texts.keys(), ...this.texts.keys()]);
    const updatesChanged = before.updatesText !== this.updatesText;
    return [...keys].filter((key) => {
      const text = this.texts.get(key);
      // If the releases have changed, a rule about releases may match other devices.
      return text !== before.texts.get(key) || (updatesChanged && text !== undefined && /"(ota[_.]|updateUuid)/.test(text));
    });
  }
}
