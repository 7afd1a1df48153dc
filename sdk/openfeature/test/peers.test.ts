import { expect, test } from 'vitest';
import own from '../package.json' with { type: 'json' };
import oldest from '../../oldest/package.json' with { type: 'json' };

test('the oldest supported peers are those of the tests', () => {
  const tested: Record<string, string> = oldest.dependencies;
  for (const [name, range] of Object.entries(own.peerDependencies)) expect(range, name).toBe(`^${tested[name]}`);
});
