import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { OldLogin, OldServer } from '../../../src/identity/shadow/old-server.ts';
import { ShadowVerifier } from '../../../src/identity/shadow/shadow-verifier.ts';
import { type Asked, VerifierUnavailable } from '../../../src/identity/verifier.ts';
import { openMemory } from '../../../src/storage/memory/open.ts';
import { userLike } from '../../domain/samples.ts';

/** A verifier whose old server is a service with that same verifier; how often that is asked. */
function askingItself(accepted: boolean) {
  const user = userLike();
  const asked: Asked = {
    name: user.name,
    key: user.key,
    address: '192.0.2.1',

    user,
    barred: false,
    standIn: undefined,
  };
  let times = 0;
  const logIn = async (): Promise<OldLogin> => {
    times += 1;
    if (times > 5) throw new VerifierUnavailable('asked again and again');
    const answered = verifier.vouch(asked, 'password').then(() => ({ status: 200, ticket: 'a ticket' }));
    answered.catch(() => undefined);
    const late = turn().then(() => Promise.reject(new VerifierUnavailable('the deadline')));
    return Promise.race([answered, late]);
  };
  const verifier = new ShadowVerifier({
    local: { vouch: async () => (accepted ? { accepted: true } : { accepted: false }) },
    server: { hasRoom: true, logIn } as unknown as OldServer,
    store: openMemory(),
    hash: async () => 'hash',
    namesCaseSensitive: false,
    clock: () => 0,
    onDifference: () => undefined,
  });
  return { vouch: () => verifier.vouch(asked, 'password'), times: () => times };
}

test('a service whose old server is itself asks itself once for a right password', async () => {
  const { vouch, times } = askingItself(true);
  assert.deepEqual(await vouch(), { accepted: true });
  for (let turns = 0; turns < 20; turns += 1) await turn();
  assert.equal(times(), 1);
});

test('a service whose old server is itself asks itself once for a wrong password, and tells that nobody answers', async () => {
  const { vouch, times } = askingItself(false);
  await assert.rejects(vouch(), VerifierUnavailable);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  assert.equal(times(), 1);
});
