import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formOn, Visitor } from '../../../faces/pages/browse.ts';
import { onlyElement } from '../../../faces/pages/markup.ts';
import { type ReadPage, readPage } from '../../../faces/pages/read-page.ts';
import { PASSWORD, startTestService } from '../../../service/start.ts';
import { latestKinds, openPage, signedInAs, startConsole, textOf } from './console-service.ts';

const USERS = '/portal/console/users';
const ANNA = `${USERS}/anna`;

const names = ({ rows }: ReadPage) => rows.map(([name]) => name);

test('the list of users is for operators: an auditor reads which role is missing', async (t) => {
  const { service, visitor } = await startConsole(t, 'auditor');
  for (const path of [USERS, `${USERS}/admin`]) assert.equal((await visitor.get(path)).status, 403, path);
  const stranger = new Visitor(service);
  assert.match((await stranger.get(USERS)).headers.get('location') as string, /^\/portal\/login\?return=/);
  await service.addUser('mia');
  const mia = new Visitor(service);
  await mia.signIn('mia');
  assert.equal((await mia.get(USERS)).status, 403);
});

test('users are found by the beginning of the name, and from three characters on by a part of it', async (t) => {
  const { service, visitor } = await startConsole(t);
  for (const name of ['anna', 'andy', 'susanne']) await service.addUser(name);
  const found = async (query: string) => names(await openPage(visitor, USERS + query));
  assert.deepEqual(await found(''), ['admin', 'andy', 'anna', 'susanne']);
  assert.deepEqual(await found('?find=an'), ['andy', 'anna']);
  assert.deepEqual(await found('?find=ann'), ['anna', 'susanne']);
  assert.deepEqual(await found('?only=administrators'), ['admin']);
  await visitor.send(`${ANNA}/lock`, `${ANNA}/lock`);
  assert.deepEqual(await found('?only=locked'), ['anna']);
  assert.deepEqual(await found('?only=disabled'), []);
  assert.match(await textOf(visitor, `${USERS}?find=zzz`), /No user matches/);
});

test('users are sorted by the headings, shown with their last sign-in, and kept by what they lack', async (t) => {
  const { service, visitor } = await startConsole(t);
  for (const name of ['anna', 'bert']) await service.addUser(name);
  assert.deepEqual(names(await openPage(visitor, `${USERS}?only=neverSignedIn`)), ['anna', 'bert']);
  assert.deepEqual(names(await openPage(visitor, `${USERS}?only=withoutSecondFactor&find=be`)), ['bert']);
  const sorted = await openPage(visitor, `${USERS}?sort=-lastSignIn`);
  assert.deepEqual(names(sorted), ['admin', 'bert', 'anna']);
  assert.deepEqual(
    sorted.rows.map((row) => row.at(-1) === 'Never'),
    [false, true, true],
  );
  const by = (text: string) => sorted.links.find((link) => link.text === text)?.to;
  assert.equal(by('Last sign-in'), `${USERS}?sort=lastSignIn`);
  assert.equal(by('User name'), `${USERS}?sort=userName`);
  const html = await textOf(visitor, `${USERS}?sort=-lastSignIn`);
  assert.equal(onlyElement(html, 'th', { 'aria-sort': 'descending' }).tagName, 'th');
});

test('a long list has pages, which keep the search', async (t) => {
  const { service, visitor } = await startConsole(t);
  const add = Array.from({ length: 60 }, (_, at) => `user${String(at).padStart(2, '0')}`);
  await Promise.all(add.map((name) => service.addUser(name, { password: undefined })));
  const first = await openPage(visitor, `${USERS}?find=us`);
  assert.deepEqual(names(first), add.slice(0, 50));
  const second = await openPage(visitor, first.next ?? assert.fail('no next page'));
  assert.deepEqual(names(second), add.slice(50));
  const back = second.links.find(({ text }) => text === 'First page');
  assert.equal(back?.to, `${USERS}?find=us`);
  assert.match(await textOf(visitor, `${USERS}?find=us`), />60 entries</);
  const previous = (await openPage(visitor, first.next ?? '')).links.find(
    ({ text }) => text === 'Previous page',
  );
  assert.equal(previous?.to, back?.to);
});

test('a page shows what is known of a user, with names as text, and a user that is none is not found', async (t) => {
  const { service, visitor } = await startConsole(t);
  await service.addUser('<b>&"anna');
  const path = `${USERS}/${encodeURIComponent('<b>&"anna')}`;
  await visitor.send(`${path}/edit`, `${path}/edit`, { firstName: '<i>Anna</i>', email: 'a@example.org' });
  const text = await textOf(visitor, path);
  const { heading, facts, links } = readPage(text);
  assert.equal(heading, '<i>Anna</i>');
  assert.equal(facts.get('E-mail'), 'a@example.org');
  assert.ok(links.some(({ to }) => to === '/portal/console/events?user=%3Cb%3E%26%22anna'));
  assert.ok(!text.includes('<b>&') && !text.includes('<i>Anna'));
  const german = await openPage(visitor, path, { 'Accept-Language': 'de' });
  assert.equal(german.facts.get('Vorname'), '<i>Anna</i>');
  const missing = await visitor.get(`${USERS}/nemo`);
  assert.equal(missing.status, 404);
  assert.match(await missing.text(), /There is no user nemo/);
});

test('an operator unlocks and ends tickets, and neither sees nor makes any other change', async (t) => {
  const { service, visitor } = await startConsole(t);
  await service.addUser('anna');
  await visitor.send(`${ANNA}/lock`, `${ANNA}/lock`);
  const operator = await signedInAs(service, 'operator');
  const text = await textOf(operator, ANNA);
  assert.ok(formOn(text, `${ANNA}/unlock`));
  for (const what of ['edit', 'password', 'lock', 'disable', 'remove', 'join-group', 'require-password']) {
    assert.ok(!text.includes(`anna/${what}"`), what);
    assert.equal((await operator.send('/portal/account', `${ANNA}/${what}`)).status, 403, what);
  }
  assert.equal((await operator.get('/portal/console/add-user')).status, 403);
  const unlocked = await operator.send(ANNA, `${ANNA}/unlock`);
  assert.equal(unlocked.headers.get('location'), `${ANNA}?done=unlock`);
  assert.match(await textOf(operator, `${ANNA}?done=unlock`), /failed sign-ins are forgotten/);
});

test('what ends something asks once and names the user; then it happens and is an event', async (t) => {
  const { service, visitor } = await startConsole(t);
  await service.addUser('anna');
  const anna = new Visitor(service);
  await anna.signIn('anna');
  for (const [what, kind] of [
    ['end-tickets', 'tickets-revoked'],
    ['lock', 'lock'],
    ['disable', 'user-disabled'],
  ] as const) {
    assert.match((await openPage(visitor, `${ANNA}/${what}`)).heading, /anna.*\?$/, what);
    const changed = await visitor.send(`${ANNA}/${what}`, `${ANNA}/${what}`);
    assert.equal(changed.headers.get('location'), `${ANNA}?done=${what}`);
    assert.equal((await latestKinds(service))[0], kind);
    const { notices } = await openPage(visitor, `${ANNA}?done=${what}`);
    assert.ok(
      notices.some(({ tone }) => tone === 'good'),
      what,
    );
    assert.equal((await anna.get('/portal/account')).status, 303, what);
  }
  await visitor.send(ANNA, `${ANNA}/enable`);
  await visitor.send(ANNA, `${ANNA}/unlock`);
  await anna.signIn('anna');
});

test('one ticket ends, and the others stay', async (t) => {
  const { service, visitor } = await startConsole(t);
  await service.addUser('anna');
  const browsers = [new Visitor(service), new Visitor(service)];
  for (const browser of browsers) await browser.signIn('anna');
  const text = await textOf(visitor, ANNA);
  const [end = ''] = /\/portal\/console\/users\/anna\/end-ticket\?of=\w{8}/.exec(text) ?? [];
  const of = end.slice(-8);
  assert.match(await textOf(visitor, end), new RegExp(of));
  await visitor.send(end, `${ANNA}/end-ticket`, { of });
  const states = await Promise.all(browsers.map(async (each) => (await each.get('/portal/account')).status));
  assert.deepEqual(states.toSorted(), [200, 303]);
  assert.equal(
    (await textOf(visitor, ANNA)).match(/end-ticket\?of=/g)?.length,
    1,
    'ended tickets are not listed',
  );
  const again = await visitor.send(end, `${ANNA}/end-ticket`, { of });
  assert.equal(again.status, 422);
  assert.match(await again.text(), /may have ended already/);
});

test('the page of a user shows the tickets used last, and leads to the others', async (t) => {
  const { service, visitor } = await startConsole(t);
  await service.addUser('anna');
  for (let signIns = 0; signIns < 21; signIns += 1) await new Visitor(service).signIn('anna');
  const text = await textOf(visitor, ANNA);
  assert.equal(text.match(/end-ticket\?of=/g)?.length, 20);
  const [all = ''] = /\/portal\/console\/tickets\?user=anna/.exec(text) ?? [];
  assert.equal((await textOf(visitor, all)).match(/end-ticket\?of=/g)?.length, 21);
});

test('a user is removed only if its name is typed', async (t) => {
  const { service, visitor } = await startConsole(t);
  await service.addUser('anna');
  const remove = `${ANNA}/remove`;
  for (const typed of ['', 'Hanna']) {
    const refused = await visitor.send(remove, remove, { typed });
    assert.equal(refused.status, 422);
    const [notice] = readPage(await refused.text()).notices;
    assert.equal(notice?.tone, 'bad');
    assert.match(notice.text, /Nothing was removed/);
  }
  const removed = await visitor.send(remove, remove, { typed: 'anna' });
  assert.equal(removed.headers.get('location'), `${USERS}?done=removed`);
  assert.match(await textOf(visitor, `${USERS}?done=removed`), /The user was removed/);
  assert.equal((await visitor.get(ANNA)).status, 404);
});

test('the last administrator stays, and the page says why', async (t) => {
  const { visitor } = await startConsole(t);
  const admin = `${USERS}/admin`;
  for (const [path, fields] of [
    [`${admin}/disable`, {}],
    [`${admin}/lock`, {}],
    [`${admin}/remove`, { typed: 'admin' }],
    [`${admin}/edit`, { role: 'none' }],
  ] as const) {
    const refused = await visitor.send(path, path, fields);
    assert.equal(refused.status, 422, path);
    assert.match(await refused.text(), /would leave no administrator/, path);
  }
  assert.equal((await visitor.get(admin)).status, 200);
});

test('a refused form is shown again with what was entered, and with the reason', async (t) => {
  const { service, visitor } = await startConsole(t);
  await service.addUser('anna');
  const edit = `${ANNA}/edit`;
  const long = 'x'.repeat(1_025);
  const refused = await visitor.send(edit, edit, { firstName: 'Anna', jobTitle: long, role: 'auditor' });
  const text = await refused.text();
  assert.match(text, /A value is not allowed: Job title has 1025 bytes/);
  const again = formOn(text, edit);
  assert.deepEqual([again?.firstName, again?.role], ['Anna', 'auditor']);
  const kept = await textOf(visitor, ANNA);
  assert.ok(!kept.includes('Anna'), 'nothing of a refused form is kept');
});

test('a forged form changes nothing', async (t) => {
  const { service, visitor } = await startConsole(t);
  await service.addUser('anna');
  for (const what of ['unlock', 'disable', 'end-tickets', 'edit', 'password']) {
    const withoutToken = await visitor.post(`${ANNA}/${what}`, { password: 'four quiet rivers meeting' });
    assert.ok(withoutToken.status >= 400, what);
    const formToken = await visitor.formToken(ANNA);
    const fromElsewhere = await visitor.post(
      `${ANNA}/${what}`,
      { formToken },
      { 'Sec-Fetch-Site': 'cross-site' },
    );
    assert.equal(fromElsewhere.status, 403, what);
  }
  const kinds = await latestKinds(service);
  assert.deepEqual(
    kinds.filter((kind) => kind !== 'login' && kind !== 'user-added'),
    [],
  );
});

test('where there is no portal, there is no console', async (t) => {
  const service = await startTestService(t, { TESSERA_PORTAL: 'false' });
  assert.equal((await fetch(`${service.url}${USERS}`)).status, 404);
});

test('a password is set: typed, or made and shown once', async (t) => {
  const { service, visitor } = await startConsole(t);
  await service.addUser('anna');
  const path = `${ANNA}/password`;
  const typed = 'four quiet rivers meeting';
  const set = await visitor.send(path, path, { password: typed, mustChangePassword: '' });
  assert.equal(set.headers.get('location'), `${ANNA}?done=password`);
  await new Visitor(service).signIn('anna', typed);
  const made = await visitor.send(path, path, { mustChangePassword: 'true' });
  const text = await made.text();
  assert.equal(made.status, 200);
  assert.match(made.headers.get('cache-control') as string, /no-store/);
  const { copied: password = '' } = readPage(text);
  assert.match(password, /^([a-z2-9]{4}-){4}[a-z2-9]{4}$/);
  const [passwordChanged] = await latestKinds(service);
  assert.equal(passwordChanged, 'password-changed');
  assert.ok(!(await textOf(visitor, ANNA)).includes(password));
  assert.match(await textOf(visitor, ANNA), /New password needed/);
  const login = await fetch(`${service.url}/api/login?u=anna&pw=${password}`);
  assert.equal(login.status, 200);
});

test('a weak password is refused at its field, and never shown again', async (t) => {
  const { service, visitor } = await startConsole(t);
  await service.addUser('anna');
  const path = `${ANNA}/password`;
  const refused = await visitor.send(path, path, { password: 'hunter2hunter2' });
  const text = await refused.text();
  assert.equal(refused.status, 422);
  const [fault] = readPage(text).faults;
  assert.equal(fault?.field, 'password');
  assert.match(fault?.text ?? '', /^This password is easy to guess/);
  onlyElement(text, 'input', { name: 'password', 'aria-invalid': 'true' });
  assert.ok(!text.includes('hunter2'));
  await new Visitor(service).signIn('anna', PASSWORD);
});

test('a user is added, and a taken name is refused at its field with the form as it was', async (t) => {
  const { visitor, service } = await startConsole(t);
  const add = '/portal/console/add-user';
  const dora = {
    userName: 'dora',
    firstName: 'Dora',
    role: 'auditor',
    password: 'four quiet rivers meeting',
  };
  const added = await visitor.send(add, add, dora);
  assert.equal(added.headers.get('location'), `${USERS}/dora?done=added`);
  assert.equal((await latestKinds(service))[0], 'user-added');
  const { heading, notices, text: shown } = await openPage(visitor, `${USERS}/dora?done=added`);
  assert.equal(heading, 'Dora');
  assert.ok(
    notices.some((notice) => notice.text.startsWith('The user was added')),
    shown,
  );
  assert.match(shown, /Auditor/);
  assert.match(shown, /Pass on.*\/portal\/login.*dora.*you typed/s);
  assert.ok(!shown.includes('four quiet') && !(await textOf(visitor, `${USERS}/dora`)).includes('Pass on'));
  const again = await visitor.send(add, add, { ...dora, userName: 'DORA', firstName: 'D & D' });
  const text = await again.text();
  assert.equal(again.status, 422);
  const [fault] = readPage(text).faults;
  assert.equal(fault?.field, 'userName');
  assert.match(fault?.text ?? '', /^The name is taken/);
  assert.equal(formOn(text, add)?.firstName, 'D & D');
  assert.ok(!text.includes('four quiet'));
  const weak = await visitor.send(add, add, { userName: 'eve', password: 'hunter2hunter2' });
  const weakText = await weak.text();
  assert.equal(readPage(weakText).faults[0]?.field, 'password');
  assert.equal(formOn(weakText, add)?.userName, 'eve');
  const nameless = await visitor.send(add, add, { ...dora, userName: 'a:b' });
  assert.match(await nameless.text(), /A value is not allowed: a user name holds no colon/);
  const made = await visitor.send(add, add, { userName: 'eve', mustChangePassword: 'true' });
  const { copied: password = '', text: madeText } = readPage(await made.text());
  assert.match(madeText, /Pass on.*\/portal\/login.*eve.*next sign-in asks/s);
  assert.equal((await fetch(`${service.url}/api/login?u=eve&pw=${password}`)).status, 200);
});

test('a new password is required, or not any more', async (t) => {
  const { service, visitor } = await startConsole(t);
  await service.addUser('anna');
  await visitor.send(ANNA, `${ANNA}/require-password`);
  assert.match(
    await textOf(visitor, `${ANNA}?done=require-password`),
    /The next sign-in asks.*New password needed/s,
  );
  await visitor.send(ANNA, `${ANNA}/keep-password`);
  assert.doesNotMatch(await textOf(visitor, ANNA), /New password needed/);
});
