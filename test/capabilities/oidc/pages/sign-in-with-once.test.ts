import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADDRESS_FAILURES } from '../../../../src/core/domain/lockout.ts';
import { exchange } from '../../../core/http/scenario.ts';
import { Visitor } from '../../../faces/pages/browse.ts';
import { begin, refusedWith, signInWith, startWithAcme, take } from './provider-visit.ts';

const OUTDATED = /^403 This sign-in was begun in another browser or too long ago/;
const COOKIE = 'tessera-sign-in-with';

test('the answer of a provider uses the sign-in up: a second answer to it is refused', async (t) => {
  const { service, acme } = await startWithAcme(t);
  const visitor = new Visitor(service);
  const address = await begin(visitor);
  const cookie = visitor.cookies.get(COOKIE) ?? '';
  assert.notEqual(cookie, '');
  const [first, second] = [await acme.signIn(address, 's-anna'), await acme.signIn(address, 's-anna')];
  assert.notEqual(first.searchParams.get('code'), second.searchParams.get('code'));
  assert.equal((await take(visitor, first)).status, 303);
  const thief = new Visitor(service);
  thief.cookies.set(COOKIE, cookie);
  assert.match(await refusedWith(await take(thief, second)), OUTDATED);
  assert.ok(service.lines.some((line) => line.includes('this sign-in was answered before')));
  assert.equal(thief.cookies.get('tessera'), undefined);
});

test('an answer that is refused uses the sign-in up, and one with another state does not', async (t) => {
  const { service, acme } = await startWithAcme(t);
  const visitor = new Visitor(service);
  const foreign = new URL(`${service.url}/portal/signed-in/acme?code=x&state=of-another`);
  const address = await begin(visitor);
  assert.match(await refusedWith(await take(visitor, foreign)), OUTDATED);
  assert.equal((await take(visitor, await acme.signIn(address, 's-anna'))).status, 303);
  const again = await begin(visitor);
  const declined = await acme.signIn(again, undefined);
  assert.match(
    await refusedWith(await take(visitor, declined)),
    /^403 The identity provider did not sign you in/,
  );
  assert.match(await refusedWith(await take(visitor, await acme.signIn(again, 's-anna'))), OUTDATED);
  assert.equal((await signInWith(visitor, acme, { subject: 's-anna' })).status, 303);
});

test('a page of another site that embeds the answer of a provider uses up no tries of its visitor', async (t) => {
  const { service } = await startWithAcme(t);
  const embedded = (destination: string) => ({
    'sec-fetch-site': 'cross-site',
    'sec-fetch-dest': destination,
  });
  const guess = (headers: Record<string, string>) =>
    exchange(service.url, 'GET /portal/signed-in/acme?code=x&state=of-nobody', { headers });
  const reasons = async (headers: Record<string, string>) => {
    const [before] = [service.lines.length, await guess(headers)];
    return service.lines.slice(before).join();
  };
  for (const destination of ['image', 'iframe', 'empty'])
    assert.match(await reasons(embedded(destination)), /"outcome":"form_of_another_site"/);
  const byWorker = { ...embedded('empty'), 'sec-fetch-mode': 'navigate' };
  for (const opened of [embedded('document'), byWorker])
    assert.match(await reasons(opened), /"outcome":"sign_in_outdated"/);
});

test('answers that prove nothing count for their address, which has to wait in the end', async (t) => {
  const { service, acme } = await startWithAcme(t);
  service.stopClock();
  const guess = (at: number) => new Visitor(service).get(`/portal/signed-in/acme?code=x&state=guess-${at}`);
  for (let at = 0; at < ADDRESS_FAILURES; at += 50)
    await Promise.all(Array.from({ length: 50 }, (_, of) => guess(at + of).then((answer) => answer.text())));
  const refused = await guess(ADDRESS_FAILURES);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  const [latest] = await service.store.read(({ events }) => events.latest({ limit: 1 }));
  assert.deepEqual([latest?.kind, latest?.from], ['login-refused', '127.0.0.1']);
  service.shiftClock(60 * 60_000);
  assert.equal((await signInWith(new Visitor(service), acme, { subject: 's-anna' })).status, 303);
});
