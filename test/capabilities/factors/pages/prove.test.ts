import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BrowserContext } from '../../../../src/core/browser-context.ts';
import type { Digest, HeldTicket } from '../../../../src/core/domain/ticket.ts';
import { openText, Sealer, sealedText, sealingKey } from '../../../../src/core/sealing/sealer.ts';
import { proofCookie, provedRecently, proveFirst } from '../../../../src/faces/pages/proof.ts';
import { Visitor, valueOn } from '../../../faces/pages/browse.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { PASSWORD, startTestService } from '../../../service/start.ts';

const PAGE = '/portal/account/prove';
const TEN_MINUTES = 600_000;
const NOW = 1_000_000_000_000;

const key = sealingKey(Buffer.alloc(32, 7));

/** The context of a page at this moment, for a ticket with this digest, in a browser that keeps this proof. */
function contextAt(now: number, digest: string, proof?: string) {
  const sealer = new Sealer(() => [key]);
  const browser = {
    cookie: (name: string) => (name === 'proof' ? proof : undefined),
    seal: (purpose: string, object: object, lifetime: number) =>
      sealedText(sealer, purpose, object, now + lifetime),
    unseal: (purpose: string, text: string) => openText(sealer, purpose, text, now),
  } as unknown as BrowserContext;
  const heldTicket = { ticket: { digest, issuedAt: now } } as HeldTicket;
  return { browser, caller: { heldTicket } } as unknown as Parameters<typeof provedRecently>[0];
}

test('a proof counts for 10 minutes, for its ticket alone, and a young ticket is none', () => {
  const { value, name, maxAge } = proofCookie(contextAt(NOW, 'a').browser as BrowserContext, 'a' as Digest);
  assert.deepEqual([name, maxAge], ['proof', 600]);
  assert.equal(provedRecently(contextAt(NOW + TEN_MINUTES - 1, 'a', value)), true);
  assert.equal(provedRecently(contextAt(NOW + TEN_MINUTES, 'a', value)), false);
  assert.equal(provedRecently(contextAt(NOW, 'b', value)), false, 'another ticket');
  const forged = value.replace(/^(.{40})./, (_, begin) => begin + (value[40] === 'A' ? 'B' : 'A'));
  assert.equal(provedRecently(contextAt(NOW, 'a', forged)), false, 'forged');
  assert.equal(provedRecently(contextAt(NOW, 'a')), false, 'no cookie');
});

test('a proof that was sealed for another purpose does not count', () => {
  const context = contextAt(NOW, 'a');
  const other = (context.browser as BrowserContext).seal('sign-in', { ticket: 'a' }, TEN_MINUTES);
  assert.equal(provedRecently(contextAt(NOW, 'a', other)), false);
});

test('a page that needs a proof leads to the page that asks, with its own address', () => {
  assert.equal(
    proveFirst('/portal/account?a=b&c').seeOther,
    `${PAGE}?return=%2Fportal%2Faccount%3Fa%3Db%26c`,
  );
});

async function signedIn(t: TestContext, env: Record<string, string> = {}) {
  const service = await startTestService(t, env);
  await service.addUser('anna');
  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  return { service, visitor };
}

test('the right password leads back with a proof, which no script can read', async (t) => {
  const { visitor } = await signedIn(t);
  const back = '/portal/account?from=here';
  const asked = `${PAGE}?return=${encodeURIComponent(back)}`;
  assert.equal(valueOn(await (await visitor.get(asked)).text(), 'return'), back);
  const proved = await visitor.send(asked, PAGE, { password: PASSWORD, return: back });
  assert.deepEqual([proved.status, proved.headers.get('location')], [303, back]);
  const [set = ''] = proved.headers.getSetCookie();
  assert.match(set, /^tessera-proof=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
});

test('a proof leads nowhere but to this host', async (t) => {
  const { visitor } = await signedIn(t, { TESSERA_RETURN_HOSTS: 'wiki.example.org' });
  for (const back of ['https://wiki.example.org/', '//evil.example.org/', 'javascript:alert(1)', '']) {
    const proved = await visitor.send(PAGE, PAGE, { password: PASSWORD, return: back });
    assert.deepEqual([proved.status, proved.headers.get('location')], [303, '/portal'], back);
  }
});

test('a wrong password shows the form again without it, counts as a failure and proves nothing', async (t) => {
  const { service, visitor } = await signedIn(t);
  for (const [password, status, why] of [
    ['not <this> one', 401, /^The current password is wrong/],
    ['', 400, /^Enter your password/],
  ] as const) {
    const refused = await visitor.send(PAGE, PAGE, { password, return: '/portal/account?x=1' });
    assert.equal(refused.status, status);
    const text = await refused.text();
    assert.match(readPage(text).fieldFaults.get('password') ?? '', why);
    assert.equal(valueOn(text, 'return'), '/portal/account?x=1');
    assert.ok(!text.includes('this&gt; one'));
    assert.deepEqual(refused.headers.getSetCookie(), []);
  }
  const [event, ...more] = await service.store.read(({ events }) =>
    events.latest({ kind: 'login-refused', limit: 9 }),
  );
  assert.deepEqual([event?.user, event?.reason, more.length], ['anna', 'wrong-password', 0]);
});

test('the password of another user proves nothing', async (t) => {
  const { service, visitor } = await signedIn(t);
  await service.addUser('ben', { password: 'six brown bears dancing' });
  const fields = { username: 'ben', password: 'six brown bears dancing' };
  assert.equal((await visitor.send(PAGE, PAGE, fields)).status, 401);
});

test('a form of another site and one without its token cost no hash', async (t) => {
  const { service, visitor } = await signedIn(t);
  assert.equal((await visitor.post(PAGE, { password: 'wrong' })).status, 400);
  assert.equal((await visitor.post(PAGE, { password: 'wrong', formToken: 'x' })).status, 403);
  const formToken = await visitor.formToken(PAGE);
  assert.equal((await visitor.post(PAGE, { password: 'wrong', formToken }, {})).status, 403);
  const failures = await service.store.read(({ events }) =>
    events.latest({ kind: 'login-refused', limit: 9 }),
  );
  assert.deepEqual(failures, []);
});
