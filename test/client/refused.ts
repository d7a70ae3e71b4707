import assert from 'node:assert/strict';
import { type Code, Refused } from '../../src/client/client.ts';

/** The refusal that a call ends with. Fails if the call does not end with this code. */
export async function refusedWith(code: Code, call: Promise<unknown>): Promise<Refused> {
  const outcome = await call.then(
    () => assert.fail('the call was not refused'),
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof Refused, `${outcome}`);
  assert.equal(outcome.code, code);
  return outcome;
}
