import { expect, test } from 'vitest';
import { type DroppableResident, MemoryBudget } from './memory-budget.ts';

/** Models of 60 bytes in a memory of 100. */
function memory() {
  const residents = new Map<string, DroppableResident>();
  const events: string[] = [];
  const budget = new MemoryBudget({ limitBytes: 100, residents: async () => [...residents.values()] });
  async function open(name: string, { mayDrop = true, neededBytes = 60 } = {}) {
    return budget.open({ neededBytes, mayDrop }, async () => {
      events.push(`open ${name}`);
      const drop = async () => {
        residents.delete(name);
        events.push(`drop ${name}`);
      };
      residents.set(name, { bytes: neededBytes, isInUse: false, lastUsedMs: events.length, drop });
      return name;
    });
  }
  return { open, events };
}

test('models are opened one after the other, each after the ones that it drops', async () => {
  const { open, events } = memory();
  expect(await Promise.all([open('a'), open('b'), open('c')])).toEqual(['a', 'b', 'c']);
  expect(events).toEqual(['open a', 'drop a', 'open b', 'drop b', 'open c']);
});

test('one that may drop no other is not opened when there is no room', async () => {
  const { open, events } = memory();
  await open('a');
  expect(await open('b', { mayDrop: false })).toBeUndefined();
  expect(events).toEqual(['open a']);
});

test('one that does not fit even alone is refused with both sizes, and the next one is opened', async () => {
  const { open } = memory();
  await expect(open('a', { neededBytes: 101 })).rejects.toMatchObject({
    code: 'model_failed',
    message: expect.stringContaining('--max-memory'),
  });
  expect(await open('b')).toBe('b');
});

test('without a limit nobody waits for anybody', async () => {
  const budget = new MemoryBudget({ limitBytes: 0, residents: async () => [] });
  const never = budget.open({ neededBytes: 1, mayDrop: false }, () => new Promise<string>(() => {}));
  expect(await budget.open({ neededBytes: 1, mayDrop: false }, async () => 'b')).toBe('b');
  expect(never).toBeInstanceOf(Promise);
});
