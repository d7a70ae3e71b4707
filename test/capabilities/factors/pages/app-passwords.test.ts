import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { formOn, Visitor } from '../../../faces/pages/browse.ts';
import { onlyElement } from '../../../faces/pages/markup.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { PASSWORD, startTestService, type TestService } from '../../../service/start.ts';
import { openPage, signedInAs, textOf } from '../../admin/pages/console-service.ts';

const ACCOUNT = '/portal/account';
const ADD = '/portal/account/app-passwords/add';
const REMOVE = '/portal/account/app-passwords/remove';
const GERMAN = { 'Accept-Language': 'de' };
const ELEVEN_MINUTES = 660_000;

async function signedIn(t: TestContext) {
  const service = await startTestService(t);
  await service.addUser('anna');
  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  return { service, visitor };
}

/** The app password that a page shows. */
function shownIn(text: string): string {
  const { copied = '' } = readPage(text);
  assert.match(copied, /^tap_[a-z2-7]{32}$/, text);
  return copied;
}

/** The app passwords of a user, as the store has them. */
const keptOf = ({ store }: TestService, name: string) =>
  store.read(async ({ users, appPasswords }) =>
    appPasswords.ofUser((await users.findByKey(name))?.id ?? assert.fail(name)),
  );

/** Gives each ticket of the user but that of the browser the origin of a login by this app password. */
async function logInBy({ store }: TestService, name: string, appPassword: string): Promise<void> {
  await store.write(async ({ users, tickets }) => {
    const user = (await users.findByKey(name)) ?? assert.fail(name);
    const serverGeneration = await tickets.serverGeneration();
    const now = Date.now();
    const ticket = {
      ...{ digest: 'd0d0d0d0'.padEnd(64, '0') as never, userId: user.id, userGeneration: user.generation },
      ...{ serverGeneration, issuedAt: now, usedAt: now },
    };
    await tickets.issue(ticket);
    await tickets.setOrigin(ticket, { from: '192.0.2.9', program: 'Scanner/7', appPassword });
  });
}

const eventsOf = ({ store }: TestService, kind: 'app-password-added' | 'app-password-removed') =>
  store.read(({ events }) => events.latest({ kind, limit: 9 }));

test('an app password is shown once, with all that a program needs, and listed from then on', async (t) => {
  const { service, visitor } = await signedIn(t);
  assert.match(await textOf(visitor, ACCOUNT), /There is no app password/);
  const made = await visitor.send(ADD, ADD, {
    ...{ name: ' scanner, second floor ', days: '30', addresses: '192.0.2.7\r\n2001:db8::/48, 198.51.100.9' },
  });
  assert.equal(made.status, 200);
  assert.match(made.headers.get('cache-control') as string, /no-store/);
  const text = await made.text();
  const password = shownIn(text);
  const facts = [...readPage(text).facts.values()];
  assert.ok(facts.includes(service.url) && facts.includes('anna'), text);
  const [kept, ...more] = await keptOf(service, 'anna');
  assert.deepEqual(more, []);
  assert.equal(kept?.name, 'scanner, second floor');
  assert.deepEqual(kept?.addresses, ['192.0.2.7', '2001:db8::/48', '198.51.100.9']);
  assert.equal(Math.round(((kept?.expiresAt ?? 0) - (kept?.madeAt ?? 0)) / 86_400_000), 30);
  const page = await textOf(visitor, ACCOUNT);
  const row = readPage(page).rows.find(([name]) => name === 'scanner, second floor');
  assert.match(row?.join(' ') ?? page, /not yet.*192\.0\.2\.7, 2001:db8::\/48/);
  assert.ok(!page.includes(password));
  const [event] = await eventsOf(service, 'app-password-added');
  assert.deepEqual([event?.user, event?.actor, event?.reason], ['anna', 'anna', 'scanner, second floor']);
  assert.ok(!service.lines.join('\n').includes(password));
});

test('an app password may have no end, and lasts a year where the form does not say', async (t) => {
  const { service, visitor } = await signedIn(t);
  await visitor.send(ADD, ADD, { name: 'forever', days: 'never' });
  await visitor.send(ADD, ADD, { name: 'odd', days: '99999' });
  const [forever, odd] = await keptOf(service, 'anna');
  assert.deepEqual([forever?.name, forever?.expiresAt, forever?.addresses], ['forever', undefined, []]);
  assert.equal(Math.round(((odd?.expiresAt ?? 0) - (odd?.madeAt ?? 0)) / 86_400_000), 365);
  const { rows } = await openPage(visitor, ACCOUNT);
  assert.ok(rows.some(([name, ...cells]) => name === 'forever' && cells.includes('never')));
});

test('a refused form keeps what was entered, and makes nothing', async (t) => {
  const { service, visitor } = await signedIn(t);
  await visitor.send(ADD, ADD, { name: 'mail', days: '90' });
  for (const [fields, field, why] of [
    [{ name: '', days: '90' }, 'name', /^A name has 1 to 64 characters/],
    [{ name: 'mail', days: '90' }, 'name', /^There is an app password with this name already/],
    [{ name: 'x', days: '90', addresses: 'here' }, 'addresses', /^here is neither an address/],
  ] as const) {
    const refused = await visitor.send(ADD, ADD, fields);
    assert.equal(refused.status, 422);
    const text = await refused.text();
    const [fault] = readPage(text).faults;
    assert.equal(fault?.field, field);
    assert.match(fault?.text ?? '', why);
    onlyElement(text, 'div', { role: 'alert' });
    assert.equal(formOn(text, ADD)?.days, '90');
    assert.doesNotMatch(text, /tap_[a-z2-7]{32}/);
  }
  const odd = await (await visitor.send(ADD, ADD, { name: '<b>', addresses: '<i>' })).text();
  const shown = formOn(odd, ADD);
  assert.deepEqual([shown?.name, shown?.addresses], ['<b>', '<i>']);
  assert.equal((await keptOf(service, 'anna')).length, 1);
});

test('ten minutes after the sign-in the user proves again who it is before an app password is made', async (t) => {
  const { service, visitor } = await signedIn(t);
  const formToken = await visitor.formToken(ADD);
  service.shiftClock(ELEVEN_MINUTES);
  const asked = '/portal/account/prove?return=%2Fportal%2Faccount%2Fapp-passwords%2Fadd';
  const form = await visitor.get(ADD);
  assert.deepEqual([form.status, form.headers.get('location')], [303, asked]);
  const sent = await visitor.post(ADD, { name: 'mail', formToken });
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, asked]);
  assert.deepEqual(await keptOf(service, 'anna'), []);
  const proved = await visitor.send(asked, '/portal/account/prove', { password: PASSWORD, return: ADD });
  assert.equal(proved.headers.get('location'), ADD);
  shownIn(await (await visitor.send(ADD, ADD, { name: 'mail' })).text());
  service.shiftClock(ELEVEN_MINUTES);
  assert.equal((await visitor.get(ADD)).status, 303, 'the proof ends, too');
});

test('a proof of one sign-in does not count for the next one', async (t) => {
  const { service, visitor } = await signedIn(t);
  service.shiftClock(ELEVEN_MINUTES);
  await visitor.send('/portal/account/prove', '/portal/account/prove', { password: PASSWORD });
  const other = new Visitor(service);
  await other.signIn('anna');
  service.shiftClock(ELEVEN_MINUTES - 120_000);
  const [name, proof] = [...visitor.cookies].find(([each]) => each.includes('proof')) ?? assert.fail();
  assert.equal((await visitor.get(ADD)).status, 200);
  service.shiftClock(90_000);
  other.cookies.set(name, proof);
  assert.equal((await other.get(ADD)).status, 303);
});

test('removing asks once, needs no proof, and ends the tickets that came from it', async (t) => {
  const { service, visitor } = await signedIn(t);
  await visitor.send(ADD, ADD, { name: 'scanner & co' });
  await logInBy(service, 'anna', 'scanner & co');
  service.shiftClock(ELEVEN_MINUTES);
  const before = await openPage(visitor, ACCOUNT);
  assert.match(before.text, /Scanner 7 by the app password scanner & co/);
  const question = before.links.find(({ to }) => to.startsWith(REMOVE))?.to ?? assert.fail(before.text);
  const { heading, text } = await openPage(visitor, question);
  assert.equal(heading, 'Remove the app password scanner & co?');
  assert.match(text, /1 sign-in that came from it ends/);
  assert.equal((await keptOf(service, 'anna')).length, 1, 'the question removes nothing');
  const removed = await visitor.send(question, REMOVE, { name: 'scanner & co' });
  assert.deepEqual([removed.status, removed.headers.get('location')], [303, `${ACCOUNT}?done=app-password`]);
  const after = await textOf(visitor, `${ACCOUNT}?done=app-password`);
  assert.match(after, /The app password is removed\. All sign-ins that came from it have ended\./);
  assert.ok(!after.includes('Scanner 7'));
  const [event] = await eventsOf(service, 'app-password-removed');
  assert.deepEqual([event?.user, event?.actor], ['anna', 'anna']);
  assert.equal((await visitor.get(question)).status, 404);
  assert.equal((await visitor.send(ACCOUNT, REMOVE, { name: 'scanner & co' })).status, 404);
});

test('a user neither sees nor removes the app passwords of another one', async (t) => {
  const { service, visitor } = await signedIn(t);
  await visitor.send(ADD, ADD, { name: 'mail' });
  await service.addUser('ben');
  const ben = new Visitor(service);
  await ben.signIn('ben');
  assert.match(await textOf(ben, ACCOUNT), /There is no app password/);
  assert.equal((await ben.get(`${REMOVE}?name=mail`)).status, 404);
  assert.equal((await ben.send(ACCOUNT, REMOVE, { name: 'mail' })).status, 404);
  assert.equal((await keptOf(service, 'anna')).length, 1);
});

test('a user without a password has no app passwords', async (t) => {
  const service = await startTestService(t);
  await service.addUser('guest', { password: undefined });
  const visitor = new Visitor(service);
  await visitor.signIn('guest');
  assert.ok(!(await textOf(visitor, ACCOUNT)).includes('app-passwords'));
  assert.equal((await visitor.send(ADD, ADD, { name: 'mail' })).status, 422);
  assert.deepEqual(await keptOf(service, 'guest'), []);
});

test('the pages about app passwords are in German, too', async (t) => {
  const { visitor } = await signedIn(t);
  await visitor.send(ADD, ADD, { name: 'Scanner' });
  const account = await openPage(visitor, ACCOUNT, GERMAN);
  assert.match(account.text, /App-Passwörter.*Scanner.*noch nicht.*Entfernen/);
  const add = await openPage(visitor, ADD, GERMAN);
  assert.equal(add.heading, 'App-Passwort anlegen');
  assert.match(add.text, /nach 365 Tagen/);
  assert.match(await textOf(visitor, `${REMOVE}?name=Scanner`, GERMAN), /App-Passwort Scanner entfernen\?/);
});

const USER = '/portal/console/users/anna';

test('an administrator makes and removes an app password of a user in the console', async (t) => {
  const { service } = await signedIn(t);
  const admin = await signedInAs(service, 'administrator');
  const add = `${USER}/add-app-password`;
  const { links, text } = await openPage(admin, USER);
  assert.match(text, /App passwords/);
  assert.ok(links.some(({ to }) => to === add));
  const refused = await admin.send(add, add, { name: 'scanner', days: '90', addresses: 'here' });
  assert.equal(refused.status, 422);
  assert.equal(formOn(await refused.text(), add)?.name, 'scanner');
  const made = await (await admin.send(add, add, { name: 'scanner', days: '90' })).text();
  const password = shownIn(made);
  assert.ok([...readPage(made).facts.values()].includes('anna'));
  await logInBy(service, 'anna', 'scanner');
  const page = await textOf(admin, USER);
  assert.match(page, /scanner.*remove-app-password\?of=scanner/s);
  assert.match(page, /by the app password scanner/);
  assert.ok(!page.includes(password));
  assert.match(await textOf(admin, '/portal/console/tickets'), /by the app password scanner/);
  const remove = `${USER}/remove-app-password`;
  assert.match(
    await textOf(admin, `${remove}?of=scanner`),
    /uses the app password scanner can then no longer log in/,
  );
  const removed = await admin.send(`${remove}?of=scanner`, remove, { of: 'scanner' });
  assert.equal(removed.headers.get('location'), `${USER}?done=remove-app-password`);
  assert.deepEqual(await keptOf(service, 'anna'), []);
  const [added] = await eventsOf(service, 'app-password-added');
  assert.deepEqual([added?.user, added?.actor], ['anna', 'admin']);
  assert.equal((await admin.get('/portal/console/users/zoe/add-app-password')).status, 404);
});

test('an operator sees the app passwords of a user, and changes none', async (t) => {
  const { service, visitor } = await signedIn(t);
  await visitor.send(ADD, ADD, { name: 'mail' });
  const operator = await signedInAs(service, 'operator');
  const page = await textOf(operator, USER);
  assert.ok(readPage(page).rows.some(([name]) => name === 'mail'));
  assert.ok(!page.includes('app-password?of') && !page.includes('add-app-password'));
  const formToken = await operator.formToken();
  for (const path of [`${USER}/add-app-password`, `${USER}/remove-app-password`])
    assert.equal((await operator.post(path, { formToken, name: 'x', of: 'mail' })).status, 403, path);
  assert.equal((await keptOf(service, 'anna')).length, 1);
});
