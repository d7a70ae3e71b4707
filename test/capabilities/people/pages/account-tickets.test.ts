import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Visitor } from '../../../faces/pages/browse.ts';
import {
  attributeOf,
  elementsNamed,
  onlyElement,
  type ParsedElement,
  textOf,
} from '../../../faces/pages/markup.ts';
import { startTestService, type TestService } from '../../../service/start.ts';

const ACCOUNT = '/portal/account';
const END = '/portal/account/tickets/end';
const END_OTHERS = '/portal/account/tickets/end-others';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A browser in which the user is signed in. */
async function browserOf(service: TestService, name: string) {
  const visitor = new Visitor(service);
  await visitor.signIn(name);
  return visitor;
}

async function startWith(t: TestContext, ...names: readonly string[]) {
  const service = await startTestService(t);
  for (const name of names) await service.addUser(name);
  return service;
}

const isSignedIn = async (visitor: Visitor) => (await visitor.get(ACCOUNT)).status === 200;

/** The rows of the tickets on the account page. */
async function rowsOf(visitor: Visitor, headers = {}): Promise<ParsedElement[]> {
  const page = await (await visitor.get(ACCOUNT, headers)).text();
  const section = onlyElement(page, 'section', { id: 'tickets' });
  return elementsNamed(onlyElement(section, 'tbody'), 'tr');
}

/** What ends the ticket of a row. */
function digestIn(row: ParsedElement): string | undefined {
  const [input] = elementsNamed(row, 'input', { name: 'digest' });
  return input && attributeOf(input, 'value');
}

/** The digest that the page of one browser has for the only other one. */
async function otherDigest(visitor: Visitor): Promise<string> {
  const [digest] = (await rowsOf(visitor)).flatMap((row) => digestIn(row) ?? []);
  return digest ?? assert.fail('there is no other ticket');
}

test('a user sees where it is signed in: since when, the last use, the address and the program', async (t) => {
  const service = await startWith(t, 'anna', 'bert');
  const visitor = await browserOf(service, 'anna');
  await browserOf(service, 'bert');
  const login = (program: string) =>
    fetch(`${service.url}/api/login`, {
      method: 'POST',
      body: JSON.stringify({ username: 'anna', password: 'correct-horse-battery' }),
      headers: { 'User-Agent': program },
    });
  await login(FIREFOX);
  await login('<script>alert(1)</script>');
  const rows = await rowsOf(visitor);
  assert.equal(rows.length, 3);
  const [own] = rows as [ParsedElement];
  assert.match(textOf(own), /this one/);
  assert.equal(digestIn(own), undefined);
  const rowWith = (text: string) => rows.find((row) => textOf(row).includes(text)) ?? assert.fail(text);
  const firefox = rowWith('Firefox on Linux');
  assert.match(textOf(firefox), /127\.0\.0\.1/);
  assert.equal(elementsNamed(firefox, 'time').length, 2);
  onlyElement(firefox, 'button', { 'aria-label': 'End the sign-in with Firefox on Linux' });
  const odd = rowWith('Unknown program');
  assert.equal(elementsNamed(odd, 'script').length, 0);
  const [first, ...others] = (await rowsOf(visitor, { 'Accept-Language': 'de' })).map(textOf);
  assert.match(first ?? '', /diese hier/);
  assert.match(others.join(), /Firefox unter Linux/);
});

test('a user ends another sign-in of its own, which is over at once, and with an event', async (t) => {
  const service = await startWith(t, 'anna');
  const [visitor, other] = [await browserOf(service, 'anna'), await browserOf(service, 'anna')];
  const digest = await otherDigest(visitor);
  const ended = await visitor.send(ACCOUNT, END, { digest });
  assert.equal(ended.headers.get('location'), `${ACCOUNT}?done=ticket`);
  assert.match(await (await visitor.get(`${ACCOUNT}?done=ticket`)).text(), /That sign-in has ended/);
  assert.equal(await isSignedIn(other), false);
  assert.equal(await isSignedIn(visitor), true);
  const [event] = await service.store.read(({ events }) => events.latest({ kind: 'logout', limit: 1 }));
  assert.deepEqual([event?.user, event?.actor, event?.digest], ['anna', 'anna', digest]);
  const again = await visitor.send(ACCOUNT, END, { digest });
  assert.equal(again.status, 404);
  assert.match(await again.text(), /There is no such sign-in/);
});

test('no user ends the ticket of another one', async (t) => {
  const service = await startWith(t, 'anna', 'bert');
  const [anna, second] = [await browserOf(service, 'anna'), await browserOf(service, 'anna')];
  const bert = await browserOf(service, 'bert');
  const digest = await otherDigest(second);
  assert.equal((await bert.send(ACCOUNT, END, { digest })).status, 404);
  assert.equal(await isSignedIn(anna), true);
  assert.equal((await rowsOf(bert)).length, 1);
});

test('who ends the ticket of its own browser is signed out', async (t) => {
  const service = await startWith(t, 'anna');
  const [visitor, other] = [await browserOf(service, 'anna'), await browserOf(service, 'anna')];
  const own = await visitor.send(ACCOUNT, END, { digest: await otherDigest(other) });
  assert.equal(own.headers.get('location'), '/portal/login');
  assert.equal(visitor.cookies.size, 0);
});

test('a user is asked once, then ends all other sign-ins of its own, and of no other user', async (t) => {
  const service = await startWith(t, 'anna', 'bert');
  const visitor = await browserOf(service, 'anna');
  const others = [await browserOf(service, 'anna'), await browserOf(service, 'anna')];
  const bert = await browserOf(service, 'bert');
  const page = await (await visitor.get(END_OTHERS)).text();
  assert.match(page, /signed in as anna has to sign in again/);
  for (const other of others) assert.equal(await isSignedIn(other), true, 'a question ends nothing');
  const ended = await visitor.send(END_OTHERS, END_OTHERS);
  assert.equal(ended.headers.get('location'), `${ACCOUNT}?done=tickets`);
  for (const other of others) assert.equal(await isSignedIn(other), false);
  assert.equal(await isSignedIn(visitor), true);
  assert.equal(await isSignedIn(bert), true);
  assert.ok(!(await (await visitor.get(ACCOUNT)).text()).includes(END_OTHERS), 'there is no other left');
});

test('a form of another page ends no ticket', async (t) => {
  const service = await startWith(t, 'anna');
  const [visitor, other] = [await browserOf(service, 'anna'), await browserOf(service, 'anna')];
  const digest = await otherDigest(visitor);
  const formToken = await visitor.formToken();
  for (const path of [END, END_OTHERS]) {
    const fields: Record<string, string> = path === END ? { digest } : {};
    assert.equal((await visitor.post(path, { ...fields, formToken: 'x' })).status, 403);
    assert.equal((await visitor.post(path, fields)).status, 400);
    assert.equal(
      (await visitor.post(path, { ...fields, formToken }, { 'Sec-Fetch-Site': 'cross-site' })).status,
      403,
    );
    assert.equal(
      (await visitor.get(`${path}?digest=${digest}&formToken=${formToken}`)).status,
      path === END ? 405 : 200,
    );
  }
  assert.equal(await isSignedIn(other), true);
});
