import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { OldLogin, OldServer } from '../../../../src/capabilities/migration/shadow/old-server.ts';
import { ShadowVerifier } from '../../../../src/capabilities/migration/shadow/shadow-verifier.ts';
import {
  type PasswordVerdict,
  type VerificationRequest,
  type Verifier,
  VerifierUnavailable,
  verdictOf,
} from '../../../../src/core/identity/verifiers/verifier.ts';
import { userLike } from '../../../core/domain/samples.ts';
import { openMemory } from '../../../engines/memory/open.ts';

const user = userLike();
const ASKED: VerificationRequest = {
  name: user.name,
  key: user.key,
  address: '192.0.2.1',
  userAgent: undefined,
  onPage: false,
  familiar: false,
  user,
  barred: false,
  standIn: async () => undefined,
};

/** The verdicts of `local` and, behind it, of an old server that answers with `logIn`. */
function verifierOf(
  local: Verifier['verify'],
  logIn: OldServer['logIn'],
  { hasRoom } = { hasRoom: true },
): Pick<Verifier, 'verify'> {
  const first: Verifier = { name: 'local', partIn: () => 'decides', verify: local };
  const oldServer = new ShadowVerifier({
    local: first,
    server: { hasRoom, logIn } as unknown as OldServer,
    store: openMemory(),
    hash: async () => 'hash',
    namesCaseSensitive: false,
    clock: () => 0,
    onDifference: () => undefined,
  });
  return { verify: (request, password) => verdictOf([first, oldServer], request, password) };
}

/** A verifier whose old server is a service with that same verifier, and how often that one is asked. */
function askingItself(accepted: boolean, asked = ASKED) {
  let times = 0;
  const logIn = async (_name: string, password: string): Promise<OldLogin> => {
    times += 1;
    if (times > 5) throw new VerifierUnavailable('asked again and again');
    const answered = verifier.verify(asked, password).then(() => ({ status: 200, ticket: 'a ticket' }));
    answered.catch(() => undefined);
    const late = turn().then(() => Promise.reject(new VerifierUnavailable('the deadline')));
    return Promise.race([answered, late]);
  };
  const verifier = verifierOf(async () => (accepted ? { accepted: true } : { accepted: false }), logIn);
  return { verify: () => verifier.verify(asked, 'password'), times: () => times };
}

test('a service whose old server is itself asks itself once for a right password', async () => {
  const { verify, times } = askingItself(true);
  assert.deepEqual(await verify(), { accepted: true });
  for (let turns = 0; turns < 20; turns += 1) await turn();
  assert.equal(times(), 1);
});

test('a service whose old server is itself asks itself once for a wrong password, and reports that it is unavailable', async () => {
  const { verify, times } = askingItself(false);
  await assert.rejects(verify(), VerifierUnavailable);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  assert.equal(times(), 1);
});

test('nor does it ask itself again for the random text in place of an administrator’s wrong password', async () => {
  const { verify, times } = askingItself(false, { ...ASKED, user: userLike({ administrator: true }) });
  await assert.rejects(verify(), VerifierUnavailable);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  assert.equal(times(), 1);
});

test('processes of a service whose old server is itself ask one another once each for a right password', async () => {
  let times = 0;
  const accept = async (): Promise<PasswordVerdict> => {
    for (let turns = 0; turns < 3; turns += 1) await turn();
    return { accepted: true };
  };
  const asks = (other: () => Pick<Verifier, 'verify'>) => async (): Promise<OldLogin> => {
    times += 1;
    if (times > 5) throw new VerifierUnavailable('asked again and again');
    await other().verify(ASKED, 'password');
    return { status: 200, ticket: 'a ticket' };
  };
  const one: Pick<Verifier, 'verify'> = verifierOf(
    accept,
    asks(() => other),
  );
  const other: Pick<Verifier, 'verify'> = verifierOf(
    accept,
    asks(() => one),
  );
  await one.verify(ASKED, 'password');
  for (let turns = 0; turns < 100; turns += 1) await turn();
  assert.equal(times, 2);
});

test('a right password is compared again a minute later', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let times = 0;
  const verifier = verifierOf(
    async () => ({ accepted: true }),
    async () => {
      times += 1;
      return { status: 200, ticket: 'a ticket' };
    },
  );
  for (now of [1, 60_000, 60_002]) {
    await verifier.verify(ASKED, 'password');
    // The role of the user is looked up first.
    await turn();
    t.mock.timers.tick(1);
  }
  assert.equal(times, 2);
});

test('a right password is not compared while the old server is busy', async () => {
  const verifier = verifierOf(
    async () => ({ accepted: true }),
    () => assert.fail('it is asked'),
    { hasRoom: false },
  );
  assert.deepEqual(await verifier.verify(ASKED, 'password'), { accepted: true });
});
