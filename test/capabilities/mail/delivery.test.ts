import assert from 'node:assert/strict';
import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setPassword } from '../../../src/capabilities/people/rules/users.ts';
import { openMemory } from '../../engines/memory/open.ts';
import { certified } from '../../service/certified.ts';
import { startTestService, type TestService, temporaryFolder } from '../../service/start.ts';
import { until } from '../../service/until.ts';
import { ACCOUNT, mailSettings, refusal, senderOf, startMailServer } from './mail-server.ts';

/** A service that sends mail over this server, and the user anna, who has an address. */
async function started(t: TestContext, server: { readonly url: string }, env: Record<string, string> = {}) {
  const service = await startTestService(t, { ...mailSettings(server), ...env }, openMemory);
  service.stopClock();
  await service.addUser('anna');
  await service.store.write(async ({ users, profiles }) => {
    const user = await users.findByKey('anna');
    await profiles.put(user?.id as number, { firstName: 'Anna', email: 'anna@example.org' });
  });
  return service;
}

/** Changes the password of anna, with its event. */
const change = ({ store }: TestService) =>
  store.write(async (unit) => {
    const user = (await unit.users.findByKey('anna')) ?? assert.fail();
    const outcome = await setPassword(unit, user, { passwordHash: 'x', mustChangePassword: false }, {});
    if ('refused' in outcome) assert.fail(outcome.refused);
    for (const event of outcome.events) await unit.events.append({ ...event, at: Date.now() - 60_000 });
  });

const stateOf = async (service: TestService) => {
  const authorization = `Bearer ${await service.addApiKey('operator')}`;
  const answer = await fetch(`${service.url}/api/admin/mail`, { headers: { authorization } });
  return (await answer.json()) as Record<string, unknown>;
};
const eventsOf = ({ store }: TestService, kind: 'mail-sent' | 'mail-failed') =>
  store.read(({ events }) => events.latest({ user: 'anna', kind, limit: 20 }));

test('a notice goes over TLS, signed in, with text and HTML that say the same, and leaves an event', async (t) => {
  const server = await startMailServer(t, { isSafe: true });
  const from = { TESSERA_SMTP_URL: server.url, TESSERA_MAIL_FROM: 'Tickets <tickets@example.org>' };
  const safe = { TESSERA_SMTP_CA: server.ca, TESSERA_SMTP_PASSWORD: ACCOUNT.password };
  const service = await started(t, server, { ...from, ...safe, TESSERA_MAIL_LANGUAGE: 'de' });
  await change(service);
  await server.got(1);
  const [mail = assert.fail()] = server.mails;
  assert.deepEqual(mail.to, ['anna@example.org']);
  assert.deepEqual(senderOf(mail), { name: 'Tickets', address: 'tickets@example.org' });
  assert.equal(mail.parsed.subject, 'Ihr Passwort wurde geändert');
  assert.match(mail.text, /^Guten Tag Anna,[\s\S]*Ihres Kontos anna bei portal\.example\.org/);
  assert.match(String(mail.parsed.html), /<p>Guten Tag Anna,<\/p>/);
  assert.equal(mail.parsed.headers.get('auto-submitted'), 'auto-generated');
  await until('it is told', async () => (await eventsOf(service, 'mail-sent')).length === 1);
  assert.equal((await eventsOf(service, 'mail-sent'))[0]?.reason, 'password-changed');
  const sent = /tessera_webhook_attempts_total\{receiver="outgoing_mail",outcome="delivered"\} 1/;
  assert.ok('deliveredAt' in (await stateOf(service)));
  await until('it is counted', async () => sent.test(await service.watched.metrics.text()));
  assert.doesNotMatch(service.lines.join(), new RegExp(`${ACCOUNT.password}|anna@example.org`));
});

test('no mail goes to a server whose certificate is not known, or that speaks no TLS', async (t) => {
  const [safe, plain] = [await startMailServer(t, { isSafe: true }), await startMailServer(t)];
  for (const [server, why] of [
    [safe, /certificate.*: name the file .*TESSERA_SMTP_CA/] as const,
    [plain, /STARTTLS.*: smtps in /] as const,
  ]) {
    const service = await started(t, server, { TESSERA_SMTP_CA: certified(t).ca });
    await change(service);
    await until('it is told why', async () => why.test(`${(await stateOf(service)).lastFault}`));
    assert.equal(server.mails.length, 0);
  }
});

test('a file of certificates that is back is read by the next attempt', async (t) => {
  const server = await startMailServer(t, { isSafe: true });
  const ca = join(await temporaryFolder(t), 'ca.pem');
  const away = `${ca}.away`;
  await copyFile(server.ca as string, ca);
  const safe = { TESSERA_SMTP_URL: server.url, TESSERA_SMTP_CA: ca, TESSERA_SMTP_PASSWORD: ACCOUNT.password };
  const service = await started(t, server, safe);
  await rename(ca, away);
  await change(service);
  await until('it is told why', async () => /ca\.pem/.test(`${(await stateOf(service)).lastFault}`));
  await rename(away, ca);
  const authorization = `Bearer ${await service.addApiKey('administrator')}`;
  await fetch(`${service.url}/api/admin/mail/retry`, { method: 'POST', headers: { authorization } });
  await server.got(1);
});

test('a mail that is not taken is tried again, and one that is refused for good is given up until it is retried', async (t) => {
  const answers = [refusal(451, 'come again'), refusal(550, 'no such mailbox')];
  const server = await startMailServer(t, { refuses: () => answers.shift() });
  const service = await started(t, server);
  await change(service);
  await until('it is told', async () => /come again/.test(`${(await stateOf(service)).lastFault}`));
  assert.equal((await stateOf(service)).waiting, 1);
  service.shiftClock(7_000);
  await until('it is given up', async () => (await stateOf(service)).dead === 1);
  assert.equal((await eventsOf(service, 'mail-failed'))[0]?.reason, 'password-changed');
  const authorization = `Bearer ${await service.addApiKey('administrator')}`;
  const retry = await fetch(`${service.url}/api/admin/mail/retry`, {
    method: 'POST',
    headers: { authorization },
  });
  assert.deepEqual(await retry.json(), { count: 1 });
  await server.got(1);
  await until('none is left', async () => (await stateOf(service)).waiting === 0);
});

test('an administrator tries mail, and is told what the mail server answers', async (t) => {
  const server = await startMailServer(t, {
    refuses: (to) => (to === 'nobody@example.org' ? refusal(550, 'no such mailbox') : undefined),
  });
  const service = await started(t, server);
  const authorization = `Bearer ${await service.addApiKey('administrator')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const tried = async (to: string) => {
    const body = JSON.stringify({ to });
    const answer = await fetch(`${service.url}/api/admin/mail/test`, { method: 'POST', headers, body });
    return (await answer.json()) as { taken: boolean; fault?: string };
  };
  assert.deepEqual(await tried('you@example.org'), { taken: true });
  assert.equal(server.mails[0]?.parsed.subject, 'Test mail of portal.example.org');
  const refused = await tried('nobody@example.org');
  assert.equal(refused.taken, false);
  assert.match(`${refused.fault}`, /no such mailbox/);
  const told = await service.store.read(({ events }) => events.latest({ limit: 2 }));
  assert.deepEqual(
    told.map(({ kind, reason, user }) => ({ kind, reason, user })),
    [
      { kind: 'mail-failed', reason: 'test', user: undefined },
      { kind: 'mail-sent', reason: 'test', user: undefined },
    ],
  );
});

test('one person gets five notices in an hour at most', async (t) => {
  const server = await startMailServer(t);
  const service = await started(t, server);
  for (let n = 1; n <= 5; n += 1) {
    await change(service);
    await until(`${n} are told`, async () => (await eventsOf(service, 'mail-sent')).length === n);
  }
  await change(service);
  await until('none waits', async () => (await stateOf(service)).waiting === 0);
  assert.equal(server.mails.length, 5);
  service.shiftClock(3_600_001);
  await change(service);
  await server.got(6);
});

test('what asks for no mail is no delivery: the server took nothing', async (t) => {
  const server = await startMailServer(t);
  const service = await started(t, server);
  const id = (await service.store.read(({ users }) => users.findByKey('anna')))?.id as number;
  await service.store.write(({ profiles }) => profiles.put(id, {}));
  await change(service);
  await until('none waits', async () => (await stateOf(service)).waiting === 0);
  assert.deepEqual(await stateOf(service), { sends: true, waiting: 0, dead: 0 });
  assert.match(
    await service.watched.metrics.text(),
    /attempts_total\{receiver="outgoing_mail",outcome="delivered"\} 0/,
  );
});

test('without a mail server nothing is kept for mail, and what waited is removed', async (t) => {
  const service = await startTestService(t, {}, openMemory);
  await service.addUser('anna');
  await change(service);
  assert.deepEqual(await stateOf(service), { sends: false, waiting: 0, dead: 0 });
});
