import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal, refuse } from '../../src/core/domain/refusal.ts';
import type { Call } from '../../src/core/gate/call.ts';
import { type AnyOperation, answer, operation } from '../../src/core/operation.ts';
import { Type } from '../../src/core/schema.ts';
import { operations } from '../../src/main/operations.ts';
import { ALICE, isOfItsCaller, namesItsCaller } from './example-input.ts';
import { callFor, gateOver, storeWith, TICKET_OF_ANOTHER } from './gate-over.ts';

/** A name with a composed letter: each wrong way to compare names fails for one of its spellings. */
const ZOË = 'zo\u00eb';
const DECOMPOSED = 'zoe\u0308';
const IN_CAPITALS = 'ZO\u00cb';

/** The same call with another name. */
function naming(call: Call, name: string): Call {
  const renamed = <P extends object>(part: P) =>
    Object.fromEntries(
      Object.entries(part).map(([member, value]) => [member, value === ALICE.name ? name : value]),
    );
  const body = call.body();
  return {
    ...call,
    path: renamed(call.path),
    query: renamed(call.query),
    body: () => ('json' in body ? { json: renamed(body.json as object) } : body),
  };
}

/** Fails if another user gets an answer. */
async function assertOwnOnly(tested: AnyOperation): Promise<void> {
  const gate = gateOver(await storeWith());
  const { result } = await gate.handlerFor(tested)(callFor(tested, TICKET_OF_ANOTHER));
  assert.ok(
    isRefusal(result) && tested.refusals.includes(result.refused),
    `bob asks for what is alice's and is answered ${JSON.stringify(result)}: only the caller's own is handed out, and ` +
      `bob is refused with one of ${JSON.stringify(tested.refusals)}`,
  );
}

/** Fails if the operation compares names in another way than the store. */
async function assertNamesAlike(tested: AnyOperation): Promise<void> {
  for (const [how, spelling, namesCaseSensitive, isOwn] of [
    ['decomposed (NFD)', DECOMPOSED, false, true],
    ['in capitals', IN_CAPITALS, false, true],
    ['decomposed (NFD)', DECOMPOSED, true, true],
    ['in capitals', IN_CAPITALS, true, false],
  ] as const) {
    const ask = async (name: string) => {
      const gate = gateOver(await storeWith(ZOË, namesCaseSensitive), [], namesCaseSensitive);
      return (await gate.handlerFor(tested)(naming(callFor(tested), name))).result;
    };
    const [result, own] = [await ask(spelling), await ask(ZOË)];
    const rule = namesCaseSensitive ? 'names differ by case' : 'names ignore case';
    const asked = `the caller's own name, ${how}, is answered ${JSON.stringify(result)} where ${rule}`;
    const mend = 'compare with `isCaller` of the context, and answer with the name of the user';
    if (isOwn) assert.deepEqual(result, own, `${asked}, unlike the name itself: ${mend}`);
    else assert.ok(isRefusal(result), `${asked}: ${mend}`);
  }
}

for (const tested of operations) {
  if (isOfItsCaller(tested))
    test(`${tested.id}: refuses another user what is of one user`, () => assertOwnOnly(tested));
  if (namesItsCaller(tested))
    test(`${tested.id}: compares the name of its caller as the store does`, () => assertNamesAlike(tested));
}

/** An operation that returns the caller's name if `isOwn` says that the given name is the caller's. */
const handingOut = (
  isOwn: (asked: string, context: { name: string; isCaller(name: string): boolean }) => boolean,
): AnyOperation =>
  operation({
    id: 'org/service/repository/example.get',
    summary: 'An example.',
    lifecycle: 'public_api',
    family: 'Examples',
    method: 'GET',
    paths: ['/example/{userName}'],
    authentication: 'user',
    transaction: 'required',
    access: 'read',
    formatStyle: 'any',
    defaultFormat: 'json',
    input: { path: Type.Object({ userName: Type.String({ examples: [ALICE.name] }) }) },
    output: { schema: Type.Object({ name: Type.String() }), json: (name: string) => ({ name }) },
    refusals: ['ticket_not_found'],
    async perform({ input, caller: { user }, isCaller }) {
      if (!isOwn(input.path.userName, { name: user.name, isCaller })) return refuse('ticket_not_found');
      return answer(user.name);
    },
  });

test('a name that `isCaller` compares is compared as the store does', async () => {
  const own = handingOut((asked, { isCaller }) => isCaller(asked));
  assert.ok(namesItsCaller(own));
  await assertOwnOnly(own);
  await assertNamesAlike(own);
});

test('the laws find an operation that hands out what is of another user', () =>
  assert.rejects(assertOwnOnly(handingOut(() => true)), /bob asks for what is alice's/));

for (const [how, isOwn] of [
  ['letter by letter', (asked: string, name: string) => asked === name],
  ['without case', (asked: string, name: string) => asked.toLowerCase() === name.toLowerCase()],
  ['in one form', (asked: string, name: string) => asked.normalize() === name.normalize()],
] as const)
  test(`the laws find a name that an operation compares ${how}`, () =>
    assert.rejects(assertNamesAlike(handingOut((asked, { name }) => isOwn(asked, name))), /isCaller/));
