import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Visitor } from '../../../faces/pages/browse.ts';
import { person, type Slapd, testsOnSlapd, USER_PASSWORD } from '../../../service/slapd.ts';
import { ask } from '../../../service/talk.ts';
import { until } from '../../../service/until.ts';
import { mailSettings, startMailServer } from '../../mail/mail-server.ts';
import { linkIn } from '../../mail/people.ts';
import { startWithDirectory } from '../log-in/with-directory.ts';

const CHOOSE = '/portal/choose-password';
const NEW = 'an even longer, quieter river';

const RULES = ['pwdCheckQuality: 2', 'pwdMinLength: 12', 'pwdInHistory: 3'];
const people = ['anna', 'ben', 'carl', 'dora'].map((name) => person(name, `mail: ${name}@example.org`));
const test = await testsOnSlapd({ entries: people, passwordRules: RULES });

/** A service with this directory that sends mail, and the link in the mail that a person asks for. */
async function withMailTo(t: TestContext, slapd: Slapd, name: string, env: Record<string, string>) {
  const server = await startMailServer(t);
  const service = await startWithDirectory(t, slapd, { ...mailSettings(server), ...env });
  const ticket = await service.ticket(name);
  const visitor = new Visitor(service);
  const mail = async () => {
    const before = server.mails.length;
    await visitor.post('/portal/forgotten-password', { username: name });
    await until('a mail comes', async () => server.mails.length > before);
    return server.mails.at(-1);
  };
  return { service, visitor, ticket, mail };
}

test('a forgotten password of the directory is set by a link in a mail, once, and all tickets end', async (t, slapd) => {
  const { service, visitor, ticket, mail } = await withMailTo(t, slapd, 'anna', {
    TESSERA_LDAP_PASSWORD_RESET: 'true',
  });
  const { path, id, key } = linkIn(await mail());
  const page = await (await visitor.get(path)).text();
  assert.match(page, /The directory of your organization decides which passwords it takes/);
  const short = await visitor.send(path, CHOOSE, { newPassword: 'short' });
  assert.equal(short.status, 400);
  assert.match(await short.text(), /says that this password is too short/);
  assert.equal(await service.isLive(ticket), true);
  const set = await visitor.send(path, CHOOSE, { newPassword: NEW });
  assert.equal(set.headers.get('location'), `${CHOOSE}/done`);
  assert.equal(await service.isLive(ticket), false);
  const again = await visitor.post(CHOOSE, { id, key, newPassword: `${NEW} once more` });
  assert.equal(again.headers.get('location'), CHOOSE);
  assert.deepEqual([await service.logIn('anna'), await service.logIn('anna', NEW)], [403, 200]);
  assert.deepEqual(await service.reasons('password-changed'), ['by a link: password-reset']);
  assert.doesNotMatch(service.lines.join('\n'), new RegExp(`${NEW}|${key}`));
});

test('of several requests with one link at once, one alone reaches the directory', async (t, slapd) => {
  const { service, visitor, mail } = await withMailTo(t, slapd, 'ben', {
    TESSERA_LDAP_PASSWORD_RESET: 'true',
  });
  const { id, key } = linkIn(await mail());
  const answers = await Promise.all(
    [1, 2, 3, 4].map((at) => visitor.post(CHOOSE, { id, key, newPassword: `${NEW} ${at}` })),
  );
  const led = answers.map(({ headers }) => headers.get('location'));
  assert.deepEqual(led.toSorted(), [CHOOSE, CHOOSE, CHOOSE, `${CHOOSE}/done`]);
  assert.equal(await service.logIn('ben', `${NEW} ${led.indexOf(`${CHOOSE}/done`) + 1}`), 200);
  assert.equal((await service.reasons('password-changed')).length, 1);
});

test('the v1 API sets a forgotten password of the directory, of the named person alone; a silent directory leaves the link', async (t, slapd) => {
  const { service, mail } = await withMailTo(t, slapd, 'carl', {
    TESSERA_LDAP_PASSWORD_RESET: 'true',
    TESSERA_LDAP_DEADLINE: 'PT2S',
  });
  const { id, key } = linkIn(await mail());
  const reset = (name: string) =>
    ask(`${service.url}/alfresco/api/-default-/public/alfresco/versions/1/people/${name}/reset-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password: NEW, id, key }),
    });
  assert.equal((await reset('anna')).status, 202);
  assert.equal(await service.logIn('carl'), 200, 'the link is not for that name');
  await slapd.kill();
  try {
    assert.equal((await reset('carl')).status, 503);
  } finally {
    await slapd.resume();
  }
  await until('the directory answers again', async () => (await reset('carl')).status === 202);
  assert.equal(await service.logIn('carl', NEW), 200);
});

test('without the setting the mail says that the password is not kept here, and who to ask', async (t, slapd) => {
  const { service, mail } = await withMailTo(t, slapd, 'dora', { TESSERA_LDAP_PASSWORD_CHANGE: 'true' });
  const letter = await mail();
  assert.equal(letter?.parsed.subject, 'Your password is not kept here');
  assert.match(letter?.text ?? '', /ask those who look after it/);
  assert.doesNotMatch(letter?.text ?? '', /choose-password/);
  assert.equal(await service.logIn('dora', USER_PASSWORD), 200);
});
