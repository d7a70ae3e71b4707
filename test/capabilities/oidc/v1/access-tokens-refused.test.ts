import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ADDRESS_FAILURES } from '../../../../src/core/domain/lockout.ts';
import { UNTIL_UNLOCKED, userKey } from '../../../../src/core/domain/user.ts';
import { throttleKeyFor } from '../../../../src/core/identity/throttle-key.ts';
import { counterKeys } from '../../../../src/core/identity/throttle-state.ts';
import type { UserChange } from '../../../../src/core/storage/store.ts';
import type { TestService } from '../../../service/start.ts';
import { ask } from '../../../service/talk.ts';
import { until } from '../../../service/until.ts';
import { AUDIENCE, loginsOf, ME, PERSON, startForTokens } from './token-bearer.ts';

async function changeUser({ store }: TestService, name: string, change: UserChange): Promise<void> {
  await store.write(async ({ users }) => {
    const user = await users.findByKey(userKey(name));
    await users.change(user?.id as number, change);
  });
}

/** The reasons of refused logins, once as many events are written. */
async function reasonsOf(service: TestService, count: number) {
  const refused = async () => (await loginsOf(service)).filter(([kind]) => kind === 'login-refused');
  await until('the events', async () => (await refused()).length >= count);
  return (await refused()).map(([, user, reason]) => [user, reason]);
}

test('a user who is disabled or locked here is refused, also with a token that was accepted before', async (t) => {
  const { service, acme, asking } = await startForTokens(t);
  const token = await acme.accessToken('s-anna', AUDIENCE);
  assert.equal((await asking(token)).status, 200);
  const lockedUntil = Date.now() + 60_000;
  for (const change of [{ disabled: true }, { lockedUntil: UNTIL_UNLOCKED }, { lockedUntil }])
    for (const each of [token, await acme.accessToken('s-anna', AUDIENCE)]) {
      await changeUser(service, 'anna', { disabled: false, lockedUntil: 0, ...change });
      for (const path of [ME, PERSON]) {
        const { status, text } = await asking(each, path);
        assert.equal(status, 401);
        assert.equal(JSON.parse(text).error.briefSummary, 'Access token refused');
      }
    }
  const reasons = await reasonsOf(service, 3);
  assert.deepEqual(reasons.sort(), [
    ['anna', 'disabled'],
    ['anna', 'locked'],
    ['anna', 'locked-by-hand'],
  ]);
  await changeUser(service, 'anna', { lockedUntil: 0 });
  assert.equal((await asking(token)).status, 200);
});

test('a person with the name of a local user gets no ticket, nor an unknown one while no users are added', async (t) => {
  const { service, file, acme, asking } = await startForTokens(t);
  await service.addUser('anna');
  const token = await acme.accessToken('s-anna', AUDIENCE);
  const refused = async (reason: string) => {
    const before = (await reasonsOf(service, 0)).length;
    assert.equal((await asking(token)).status, 401);
    assert.deepEqual((await reasonsOf(service, before + 1)).at(-1), [
      'an… (4 characters)',
      `acme: ${reason}`,
    ]);
  };
  await refused('the name of a local user');
  const change = (members: object) => {
    const written = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ providers: [{ ...written.providers[0], ...members }] }));
    service.reload();
  };
  change({ addsUsers: false });
  await service.store.write(({ users }) =>
    users.findByKey('anna').then((user) => users.remove(user?.id as number)),
  );
  await refused('removed here');
  acme.people.set('s-anna', { preferred_username: 'anja' });
  const renamed = await acme.accessToken('s-anna', AUDIENCE);
  assert.equal((await asking(renamed)).status, 401);
  change({ addsUsers: true });
  assert.equal((await asking(renamed)).status, 200);
});

test('while the provider is down its tokens are 503, but those that were accepted a moment ago', async (t) => {
  const { service, acme, asking } = await startForTokens(t);
  const token = await acme.accessToken('s-anna', AUDIENCE);
  const other = await acme.accessToken('s-anna', AUDIENCE);
  await acme.stop();
  for (const path of [ME, PERSON]) {
    const { status, headers } = await asking(token, path);
    assert.deepEqual([status, headers.get('retry-after')], [503, '5']);
  }
  assert.deepEqual(await loginsOf(service), []);
  await acme.start();
  service.shiftClock(5_000);
  assert.equal((await asking(token)).status, 200);
  await acme.stop();
  service.shiftClock(3_590_000 - 5_000);
  assert.equal((await asking(other)).status, 200);
});

test('a token is accepted again for five minutes without its provider, and not once it has expired or the document changed', async (t) => {
  const { service, file, acme, asking } = await startForTokens(t);
  const claims = { iss: acme.issuer, aud: AUDIENCE, sub: 's-anna', preferred_username: 'anna' };
  const lasting = (seconds: number) =>
    acme.sign({ ...claims, exp: Math.floor(Date.now() / 1_000) + seconds }, { typ: 'at+jwt' });
  const short = await lasting(60);
  const long = await lasting(3_600);
  for (const token of [short, long]) assert.equal((await asking(token)).status, 200);
  acme.rotateKeys();
  service.shiftClock(59_000);
  for (const token of [short, long]) assert.equal((await asking(token)).status, 200);
  service.shiftClock(40_000);
  assert.equal((await asking(short)).status, 401);
  assert.equal((await asking(long)).status, 200);
  writeFileSync(file, readFileSync(file));
  service.reload();
  assert.equal((await asking(long)).status, 401);
});

test('tokens that no provider made count against their address alone, which waits after a thousand', async (t) => {
  const { service, acme, asking } = await startForTokens(t);
  const known = await acme.accessToken('s-anna', AUDIENCE);
  const fresh = await acme.accessToken('s-anna', AUDIENCE);
  const common = { iss: acme.issuer, aud: AUDIENCE, sub: 's-anna' };
  const expired = await acme.sign({ ...common, exp: 1 }, { typ: 'at+jwt' });
  const from = '127.0.0.1';
  const keys = counterKeys(throttleKeyFor(service.settings, 'command'))('', from);
  const failures = () =>
    service.store.read(async ({ attempts }) => {
      const { counters } = await attempts.throttleState({ userKey: undefined, address: from, keys });
      return counters.address?.failures ?? 0;
    });
  const at = Date.now();
  const almost = { failures: ADDRESS_FAILURES - 3, since: at, lastFailureAt: at, waitUntil: 0 };
  await service.store.write(({ attempts }) => attempts.put(keys.address, undefined, almost));
  assert.equal((await asking(known)).status, 200);
  for (const token of [expired, 'made-up', 'made-up-2']) assert.equal((await asking(token)).status, 401);
  await until('both are counted', async () => (await failures()) === ADDRESS_FAILURES - 1);
  assert.equal((await asking('made-up')).status, 401);
  await until('it is counted again', async () => (await failures()) === ADDRESS_FAILURES);
  const { status, headers } = await asking(fresh);
  assert.deepEqual([status, Number(headers.get('retry-after')) > 0], [401, true]);
  assert.equal((await asking(known)).status, 200);
  service.shiftClock(2_000);
  assert.equal((await asking(fresh)).status, 200);
});

test('an access token in a URL or a form is not read, since addresses stand in histories and logs', async (t) => {
  const { service, acme } = await startForTokens(t);
  const token = await acme.accessToken('s-anna', AUDIENCE);
  for (const argument of ['access_token', 'alf_ticket', 'token']) {
    const query = new URLSearchParams({ [argument]: token });
    for (const [name, init] of [
      [`${PERSON}?${query}`, {}],
      [`${ME}?${query}`, {}],
      [PERSON, { method: 'PUT', body: query }],
    ] as const) {
      const { status, text } = await ask(service.url + name, init);
      assert.ok([401, 405].includes(status), `${name}: ${status} ${text}`);
    }
  }
  assert.deepEqual(await loginsOf(service), [], 'nobody is signed in, and nobody counts as refused');
});
