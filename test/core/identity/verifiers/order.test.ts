import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type PasswordVerdict,
  type VerificationRequest,
  type Verifier,
  VerifierUnavailable,
  verdictOf,
} from '../../../../src/core/identity/verifiers/verifier.ts';
import { userLike } from '../../domain/samples.ts';

const ASKED: VerificationRequest = {
  name: 'Ann',
  key: 'ann',
  address: '192.0.2.1',
  userAgent: undefined,
  onPage: false,
  familiar: false,
  user: userLike(),
  barred: false,
  standIn: async () => undefined,
};
const ACCEPTED: PasswordVerdict = { accepted: true };
const REFUSED: PasswordVerdict = { accepted: false };
const PASSED: PasswordVerdict = { accepted: false, passed: true };

type Reaction = PasswordVerdict | 'imitates' | Error;

/** Verifiers with these verdicts, in this order; `imitates` for one that does not decide. They record what they do. */
function verifiersWith(...verdicts: readonly Reaction[]) {
  const done: string[] = [];
  const verifiers = verdicts.map((verdict, at): Verifier => {
    const work = async (what: string) => {
      done.push(`${at} ${what}`);
      if (verdict instanceof Error) throw verdict;
    };
    return {
      name: 'local',
      partIn: () => (verdict === 'imitates' ? 'imitates' : 'decides'),
      async verify() {
        await work('verifies');
        return verdict as PasswordVerdict;
      },
      imitate: () => work('imitates'),
      noteAccepted: () => void done.push(`${at} notes`),
    };
  });
  return { done, verifiers };
}

test('the first verifier that accepts is the last that works, and the others learn of it', async () => {
  const { done, verifiers } = verifiersWith('imitates', PASSED, ACCEPTED, REFUSED);
  assert.deepEqual(await verdictOf(verifiers, ASKED, 'right'), ACCEPTED);
  assert.deepEqual(done, ['1 verifies', '2 verifies', '0 notes', '1 notes', '3 notes']);
});

test('the first verifier that refuses decides, and every other one works as much as for a refusal of its own', async () => {
  const { done, verifiers } = verifiersWith('imitates', REFUSED, ACCEPTED);
  assert.deepEqual(await verdictOf(verifiers, ASKED, 'wrong'), REFUSED);
  assert.deepEqual(done, ['1 verifies', '0 imitates', '2 imitates']);
});

test('a login that every verifier passes on is refused', async () => {
  const { verifiers } = verifiersWith(PASSED, PASSED);
  assert.deepEqual(await verdictOf(verifiers, ASKED, 'wrong'), REFUSED);
});

test('a password of the own form of a verifier is for that one alone', async () => {
  const { done, verifiers } = verifiersWith(ACCEPTED);
  const owner: Verifier = { ...(verifiersWith(REFUSED).verifiers[0] as Verifier), ownForm: /^own/ };
  assert.deepEqual(await verdictOf([owner, ...verifiers], ASKED, 'own text'), REFUSED);
  assert.deepEqual(done, []);
  assert.deepEqual(await verdictOf([owner, ...verifiers], ASKED, 'right'), ACCEPTED);
});

test('a verifier that is not available counts no failure by itself, but does once another one has refused', async () => {
  const down = () => new VerifierUnavailable('down', { counts: false });
  const counts = async (...verdicts: readonly Reaction[]) => {
    const { verifiers } = verifiersWith(...verdicts);
    const failed: unknown = await verdictOf(verifiers, ASKED, 'wrong').catch((error: unknown) => error);
    assert.ok(failed instanceof VerifierUnavailable);
    return failed.counts;
  };
  assert.equal(await counts(PASSED, down()), false);
  assert.equal(await counts(REFUSED, down()), true);
});
