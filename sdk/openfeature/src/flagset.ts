import type { Context } from './context.js';
import type { Definitions, DisabledFlag, FlagDefinition, UpdateDefinition } from './definitions.js';
import { type Flag, compileDisabled, compileFlag } from './flag.js';

/** The flags of a channel, each of which is made ready when it is first evaluated. */
export class FlagSet {
  /** Differs exactly when the definitions do. */
  readonly version: string;
  /** The definitions of each flag by its key. A flag that is off but overridden has both. */
  private readonly definitions = new Map<string, { flag?: FlagDefinition; disabled?: DisabledFlag }>();
  private readonly compiled = new Map<string, Flag>();
  private readonly updates: ReadonlyMap<string, UpdateDefinition>;
  /** The text of each flag's definitions, and of updates. */
  private readonly texts = new Map<string, string>();
  private readonly updatesText: string;

  /** Reads an answer of the server. It throws when that is something else. */
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

  /** The flag with the key. */
  flag(key: string): Flag | undefined {
    const known = this.compiled.get(key);
    const definition = this.definitions.get(key);
    if (known || !definition) return known;
    const { flag, disabled } = definition;
    const made = flag ? compileFlag(flag) : disabled && compileDisabled(disabled);
    if (made) this.compiled.set(key, made);
    return made;
  }

  /** The release with an update id. */
  update(updateUuid: string): Context['update'] {
    return this.updates.get(updateUuid);
  }

  /** The keys of the flags that differ from those of before, are new or are gone. */
  changedSince(before: FlagSet): string[] {
    const keys = new Set([...before.texts.keys(), ...this.texts.keys()]);
    const updatesChanged = before.updatesText !== this.updatesText;
    return [...keys].filter((key) => {
      const text = this.texts.get(key);
      // A rule about releases may hold for other devices when the releases are others.
      return text !== before.texts.get(key) || (updatesChanged && text !== undefined && /"(ota[_.]|updateUuid)/.test(text));
    });
  }
}
