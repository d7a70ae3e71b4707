import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linearize, type State, type Step } from './linearization.ts';
import { after, type Happening, isRead, type Model, UNKNOWN } from './model.ts';

type Register = State & { readonly value: number };
const register = (value: number): Register => ({ key: String(value), value });

const write = (begin: number, end: number, value: number): Step<Register> => ({
  begin,
  end,
  isRead: false,
  effect: `write ${value}`,
  after: () => register(value),
});
const read = (begin: number, end: number, value: number): Step<Register> => ({
  begin,
  end,
  isRead: true,
  effect: `read ${value}`,
  after: (state) => (state.value === value ? state : undefined),
});
const isLinearizable = (...steps: Step<Register>[]) => linearize(register(0), steps).stuck === undefined;

const NEVER = Number.POSITIVE_INFINITY;

test('the histories of a register in the paper of Herlihy and Wing: two have an order, two have none', () => {
  // Figure 1, as of a register: a read that overlaps a write may see either value, and none goes back.
  assert.ok(isLinearizable(write(1, 4, 1), read(2, 3, 0), read(5, 6, 1)));
  assert.ok(isLinearizable(write(1, 6, 1), read(2, 3, 1), read(4, 5, 1)));
  assert.ok(!isLinearizable(write(1, 6, 1), read(2, 3, 1), read(4, 5, 0)));
  assert.ok(!isLinearizable(write(1, 2, 1), read(3, 4, 0)));
});

test('a step without an end may happen at any later time, or never, but not before it began', () => {
  assert.ok(isLinearizable(write(1, NEVER, 1), read(2, 3, 0), read(4, 5, 0)));
  assert.ok(isLinearizable(write(1, NEVER, 1), read(2, 3, 0), read(4, 5, 1)));
  assert.ok(!isLinearizable(write(1, NEVER, 1), read(2, 3, 1), read(4, 5, 0)));
  assert.ok(!isLinearizable(read(1, 2, 1), write(3, NEVER, 1)));
});

test('without an order, the longest one is told, and what would have to come next', () => {
  const steps = [write(1, 2, 1), read(3, 4, 1), read(5, 6, 0), write(7, 8, 0)];
  assert.deepEqual(linearize(register(0), steps), { order: steps.slice(0, 2), stuck: [steps[2]] });
});

test('many operations that all overlap are searched in no time, whether they have an order or not', () => {
  const steps = Array.from({ length: 40 }, (_, n) => [write(n, 1_000, n % 2), read(n, 1_000, n % 2)]).flat();
  assert.ok(isLinearizable(...steps));
  assert.ok(!isLinearizable(...steps, read(2_000, 2_001, 7)));
});

/** Tries all orders. */
function hasOrder(state: Model, steps: readonly Step<Model>[]): boolean {
  if (steps.every(({ end }) => end === NEVER)) return true;
  return steps.some((step) => {
    if (steps.some(({ end }) => end < step.begin)) return false;
    const next = step.after(state);
    return (
      next !== undefined &&
      hasOrder(
        next,
        steps.filter((other) => other !== step),
      )
    );
  });
}

const password = fc.constantFrom('old', 'new');
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ what: fc.constant('login' as const), password, issues: fc.boolean() }),
  fc.record({ what: fc.constant('refused login' as const), password }),
  fc.record({ what: fc.constant('password' as const), password, keeps: fc.boolean() }),
  fc.record({
    what: fc.constantFrom('found', 'found', 'not found', 'end', 'disable', 'enable', 'lock', 'unlock'),
  }),
) as fc.Arbitrary<Happening>;

/** Steps whose begins and ends are all different, a few without an end. */
const steps = fc
  .array(fc.record({ happening, length: fc.integer({ min: 1, max: 5 }), lost: fc.boolean() }), {
    maxLength: 7,
  })
  .map((all) =>
    all.map(({ happening, length, lost }, at): Step<Model> => {
      const isLost = lost && !isRead(happening) && happening.what !== 'login';
      return {
        begin: 2 * at,
        end: isLost ? NEVER : 2 * (at + length) - 1,
        isRead: isRead(happening),
        effect: JSON.stringify(happening),
        after: (state) => after(state, happening),
      };
    }),
  );

test('the search finds an order of a small history exactly if one of all orders is one', () => {
  const found = { yes: 0, no: 0 };
  fc.assert(
    fc.property(steps, (all) => {
      const expected = hasOrder(UNKNOWN, all);
      found[expected ? 'yes' : 'no'] += 1;
      assert.equal(linearize(UNKNOWN, all).stuck === undefined, expected);
    }),
    { numRuns: 5_000 },
  );
  assert.ok(found.yes > 200 && found.no > 200, `too few of a kind: ${JSON.stringify(found)}`);
});
