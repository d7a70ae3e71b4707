import assert from 'node:assert/strict';
import { checkDirectory } from '../../../../src/capabilities/ldap/check/check.ts';
import { Visitor } from '../../../faces/pages/browse.ts';
import { dnOf, person, type Slapd, testsOnSlapd, USER_PASSWORD } from '../../../service/slapd.ts';
import { appOn, codeAt, registerApp } from '../../factors/pages/second-factor-browse.ts';
import { optionsFor } from '../asked.ts';
import { relayTo, startWithDirectory } from '../log-in/with-directory.ts';

const PAGE = '/portal/account/password';
const DAY = 86_400_000;
const NEW = 'an even longer, quieter river';
const ON = { TESSERA_LDAP_PASSWORD_CHANGE: 'true' };

const RULES = ['pwdCheckQuality: 2', 'pwdMinLength: 12', 'pwdInHistory: 3', 'pwdSafeModify: FALSE'];
const NAMES = ['anna', 'ben', 'carl', 'dora', 'emil', 'fred', 'gina', 'hans', 'ida', 'jo'];
const test = await testsOnSlapd({ entries: NAMES.map((name) => person(name)), passwordRules: RULES });

/** The page's answer to a change of the own password. */
const change = (visitor: Visitor, newPassword: string, oldPassword = USER_PASSWORD, language = 'en') =>
  visitor
    .formToken()
    .then((formToken) =>
      visitor.post(
        PAGE,
        { formToken, oldPassword, newPassword, elsewhere: 'true' },
        { 'Sec-Fetch-Site': 'same-origin', 'accept-language': language },
      ),
    );

test('a person of the directory changes the password on the account page: the directory has it, all other tickets end', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, ON);
  const program = await service.ticket('anna');
  const visitor = new Visitor(service);
  await visitor.signIn('anna', USER_PASSWORD);
  const shown = await (await visitor.get(PAGE)).text();
  assert.match(shown, /kept in the directory of your organization. The new one holds wherever/);
  assert.doesNotMatch(shown, /password-strength/);
  const changed = await change(visitor, NEW);
  assert.equal(changed.headers.get('location'), '/portal/account?done=password');
  assert.equal((await visitor.get('/portal/account')).status, 200, 'this browser stays signed in');
  assert.equal(await service.isLive(program), false);
  assert.deepEqual([await service.logIn('anna'), await service.logIn('anna', NEW)], [403, 200]);
  assert.deepEqual(await service.reasons('password-changed'), ['at the provider ldap']);
  assert.equal((await service.user('anna'))?.passwordHash, undefined);
  assert.doesNotMatch(service.lines.join('\n'), new RegExp(NEW));
});

test('the page says what the policy of the directory refuses, in the language of the reader; the ticket stays', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, ON);
  const program = await service.ticket('ben');
  const visitor = new Visitor(service);
  await visitor.signIn('ben', USER_PASSWORD);
  const short = await change(visitor, 'short');
  assert.equal(short.status, 400);
  assert.match(await short.text(), /directory of your organization says that this password is too short/);
  assert.match(
    await (await change(visitor, 'short', USER_PASSWORD, 'de')).text(),
    /hält dieses Passwort für zu kurz/,
  );
  assert.match(await (await change(visitor, USER_PASSWORD)).text(), /This is the old password/);
  assert.equal((await change(visitor, NEW)).status, 303);
  const before = await change(visitor, USER_PASSWORD, NEW);
  assert.match(await before.text(), /says that you had this password before/);
  assert.equal((await change(visitor, NEW, 'wrong')).status, 401);
  slapd.change(`cn=policy,dc=example,dc=org`, 'replace: pwdMinAge', 'pwdMinAge: 3600');
  t.after(() => slapd.change(`cn=policy,dc=example,dc=org`, 'delete: pwdMinAge'));
  assert.match(await (await change(visitor, `${NEW}!`, NEW)).text(), /too new to be changed/);
  assert.equal(await service.isLive(program), false, 'the one change ended it');
  assert.equal((await service.reasons('password-changed')).length, 1);
});

test('a program changes the own password over HTTP, by the old one, and an app password changes none', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, ON);
  const [ticket, other] = [await service.ticket('carl'), await service.ticket('carl')];
  const post = async (oldpw: string, newpw: string, headers = {}) => {
    const answer = await fetch(`${service.url}/api/person/changepassword/carl?alf_ticket=${ticket}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ oldpw, newpw }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const short = await post(USER_PASSWORD, 'short');
  assert.deepEqual(
    [short.status, /New password refused: the directory says that it is too short/.test(short.text)],
    [400, true],
  );
  assert.equal((await post('wrong', NEW)).status, 401);
  assert.deepEqual([(await post(USER_PASSWORD, NEW)).status, await service.logIn('carl', NEW)], [200, 200]);
  assert.deepEqual([await service.isLive(ticket), await service.isLive(other)], [true, false]);
});

test('without the setting nothing is written, and a password that has to change is refused as before', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd);
  const visitor = new Visitor(service);
  await visitor.signIn('dora', USER_PASSWORD);
  assert.match(
    await (await visitor.get(PAGE)).text(),
    /kept in the directory of your organization, not here/,
  );
  assert.equal((await change(visitor, NEW)).status, 409);
  assert.equal(await service.logIn('dora'), 200);
  slapd.change(dnOf('dora'), 'replace: pwdReset', 'pwdReset: TRUE');
  const refused = await visitor.post('/portal/login', { username: 'dora', password: USER_PASSWORD });
  assert.equal(refused.status, 403);
});

test('who has to change the password chooses a new one at the sign-in on a page; a program is refused', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, { ...ON, TESSERA_THROTTLE_AFTER: '100' });
  slapd.change(dnOf('emil'), 'replace: pwdReset', 'pwdReset: TRUE');
  assert.equal(await service.logIn('emil'), 403);
  assert.deepEqual(await service.reasons('login-refused'), ['password to be changed in the directory first']);
  assert.equal(await service.user('emil'), undefined);
  const visitor = new Visitor(service);
  const asked = await visitor.post('/portal/login', { username: 'emil', password: USER_PASSWORD });
  const page = await asked.text();
  assert.match(page, /action="\/portal\/new-password"/);
  assert.equal((await visitor.get('/portal/account')).status, 303, 'there is no ticket yet');
  assert.equal((await service.user('emil'))?.mustChangePassword, true);
  assert.equal(await service.byBasic('emil'), 401);
  const form = { username: 'emil', oldPassword: USER_PASSWORD, return: '' };
  const short = await visitor.post('/portal/new-password', { ...form, newPassword: 'short' });
  assert.match(await short.text(), /says that this password is too short/);
  const done = await visitor.post('/portal/new-password', { ...form, newPassword: NEW });
  assert.equal(done.status, 303, await done.text());
  assert.equal((await visitor.get('/portal/account')).status, 200);
  assert.equal((await service.user('emil'))?.mustChangePassword, false);
  assert.equal(await service.logIn('emil', NEW), 200);
});

test('a password that was changed at the directory itself asks for no other one here', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, ON);
  slapd.change(dnOf('fred'), 'replace: pwdReset', 'pwdReset: TRUE');
  const visitor = new Visitor(service);
  await visitor.post('/portal/login', { username: 'fred', password: USER_PASSWORD });
  assert.equal((await service.user('fred'))?.mustChangePassword, true);
  slapd.setPassword(dnOf('fred'), NEW);
  await visitor.signIn('fred', NEW);
  assert.equal((await service.user('fred'))?.mustChangePassword, false);
  assert.deepEqual(
    [
      (await service.reasons('new-password-required')).length,
      (await service.reasons('new-password-waived')).length,
    ],
    [1, 1],
  );
});

test('a directory that does not answer in time: the page says that it may have either password, and no ticket ends', async (t, slapd) => {
  // A relay that keeps the answers to itself once it has seen the Password Modify operation.
  const { port } = await relayTo(t, slapd.port, (socket) => {
    socket.on('data', (data) => {
      if (data.includes('1.3.6.1.4.1.4203.1.11.1')) socket.cork();
    });
  });
  const service = await startWithDirectory(
    t,
    { url: `ldap://127.0.0.1:${port}` },
    { ...ON, TESSERA_LDAP_DEADLINE: 'PT2S' },
  );
  const program = await service.ticket('gina');
  const visitor = new Visitor(service);
  await visitor.signIn('gina', USER_PASSWORD);
  const silent = await change(visitor, NEW);
  assert.equal(silent.status, 503);
  assert.match(
    await silent.text(),
    /did not answer in time\. It may have the new password, or still the old one/,
  );
  assert.equal(await service.isLive(program), true);
  assert.deepEqual(await service.reasons('password-changed'), []);
  assert.equal(await service.logIn('gina', NEW), 200, 'the directory had taken it');
});

test('a directory that lets nobody change a password is shown so, and what it answered is in the log alone', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, ON);
  const visitor = new Visitor(service);
  await visitor.signIn('hans', USER_PASSWORD);
  slapd.change(`cn=policy,dc=example,dc=org`, 'replace: pwdAllowUserChange', 'pwdAllowUserChange: FALSE');
  t.after(() => slapd.change(`cn=policy,dc=example,dc=org`, 'delete: pwdAllowUserChange'));
  const text = await (await change(visitor, NEW)).text();
  assert.match(text, /does not let you change this password here/);
  assert.doesNotMatch(text, /result code/);
  assert.match(service.lines.join('\n'), /refused by the directory: result code \d+, password policy 3/);
});

test('the old password alone changes nothing of a person with a second factor, on no way', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, ON);
  const ticket = await service.ticket('ida');
  const visitor = new Visitor(service);
  await visitor.signIn('ida', USER_PASSWORD);
  await registerApp(visitor, Date.now());
  const form = { username: 'ida', oldPassword: USER_PASSWORD, newPassword: NEW, return: '' };
  const stranger = await new Visitor(service).post('/portal/new-password', form);
  assert.equal(stranger.headers.get('location'), '/portal/second-factor');
  const program = await fetch(`${service.url}/api/person/changepassword/ida?alf_ticket=${ticket}`, {
    method: 'POST',
    body: JSON.stringify({ oldpw: USER_PASSWORD, newpw: NEW }),
  });
  assert.equal(program.status, 403);
  visitor.cookies.delete([...visitor.cookies.keys()].find((name) => name.includes('proof')) ?? assert.fail());
  const unproved = await change(visitor, NEW);
  assert.match(unproved.headers.get('location') ?? '', /account\/prove/);
  assert.deepEqual(await service.reasons('password-changed'), []);
  const again = await new Visitor(service).post('/portal/login', {
    username: 'ida',
    password: USER_PASSWORD,
  });
  assert.equal(again.headers.get('location'), '/portal/second-factor', 'the old password is still right');
});

/** Has the policy warn of a password that ends within 6 days, and end one after 7. */
function warnOfEnds(slapd: Slapd): void {
  const seconds = (days: number) => `${(days * DAY) / 1_000}`;
  const warns = ['pwdMaxAge', seconds(7), 'pwdExpireWarning', seconds(6), 'pwdGraceAuthNLimit', '9'];
  for (let at = 0; at < warns.length; at += 2)
    slapd.change('cn=policy,dc=example,dc=org', `replace: ${warns[at]}`, `${warns[at]}: ${warns[at + 1]}`);
}

/** Dates the password of a person back. Returns the day when it ends. */
function ageBy(slapd: Slapd, name: string, days: number): string {
  const since = new Date(Date.now() - days * DAY);
  const text = since.toISOString().replace(/[-:T]|\..*/g, '');
  slapd.change(dnOf(name), 'replace: pwdChangedTime', `pwdChangedTime: ${text}Z`);
  return new Date(+since + 7 * DAY).toISOString().slice(0, 10);
}

test('the account page says when the password expires, as the policy warned at the sign-in, until there is a new one', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, ON);
  warnOfEnds(slapd);
  const signedIn = async () => {
    const visitor = new Visitor(service);
    await visitor.signIn('jo', USER_PASSWORD);
    return visitor;
  };
  const account = async (visitor: Visitor, language = 'en') =>
    (await visitor.get('/portal/account', { 'accept-language': language })).text();
  const said = (day: string) =>
    new RegExp(`when your password expires: <time datetime="${day}[^<]+</time> <a href="${PAGE}">`);
  assert.doesNotMatch(await account(await signedIn()), /password expires/, 'the policy does not warn yet');
  const visitor = await signedIn();
  const { codes } = await registerApp(visitor, Date.now());
  const day = ageBy(slapd, 'jo', 2);
  const stepped = await signedIn();
  await stepped.post('/portal/second-factor', { code: codes[0] ?? '' });
  assert.match(await account(stepped), said(day), 'also behind a second factor');
  assert.match(await account(visitor, 'de'), /wann Ihr Passwort abläuft: <time/);
  assert.match(await account(visitor, 'de'), /mit einem Passwort, das bald abläuft/);
  ageBy(slapd, 'jo', 8);
  const late = await signedIn();
  await late.post('/portal/second-factor', { code: codes[1] ?? '' });
  assert.match(
    await account(late),
    said(new Date().toISOString().slice(0, 10)),
    'it counts a few more times',
  );
  assert.equal((await change(visitor, NEW)).status, 303);
  assert.doesNotMatch(await account(visitor), /password expires/);
});

test('who registers a second factor at the sign-in sees when the password expires, too', async (t, slapd) => {
  const required = { TESSERA_SECOND_FACTOR: 'required', TESSERA_SECOND_FACTOR_GRACE: 'off' };
  const service = await startWithDirectory(t, slapd, { ...ON, ...required });
  warnOfEnds(slapd);
  ageBy(slapd, 'ida', 2);
  const visitor = new Visitor(service);
  await visitor.post('/portal/login', { username: 'ida', password: USER_PASSWORD });
  const address = '/portal/second-factor/register';
  const { key, sealed } = appOn(await (await visitor.get(address)).text());
  await visitor.post(address, { sealed, code: codeAt(key, Date.now()) });
  assert.match(await (await visitor.get('/portal/account')).text(), /when your password expires: <time/);
});

test('the check says when the password of a person ends, if the policy warns of that', async (_t, slapd) => {
  const found = async () => {
    const checked = { name: 'ida', password: NEW };
    const lines: string[] = [];
    for await (const { steps } of checkDirectory({ options: optionsFor(slapd), checked, onPerson: () => {} }))
      for await (const step of steps) if (step.name === 'password') lines.push(step.found);
    return lines;
  };
  slapd.setPassword(dnOf('ida'), NEW);
  assert.deepEqual(await found(), ['it is right']);
  warnOfEnds(slapd);
  const day = ageBy(slapd, 'ida', 2);
  assert.match((await found()).join('\n'), new RegExp(`^it is right, and expires on ${day}T[0-9:.]+Z$`));
});
