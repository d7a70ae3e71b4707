import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Visitor, valueOn } from '../../../faces/pages/browse.ts';
import { elementsNamed } from '../../../faces/pages/markup.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import type { TestService } from '../../../service/start.ts';
import { latestKinds, openPage, signedInAs, startConsole, textOf } from './console-service.ts';

const USERS = '/portal/console/users';
const SEVERAL = '/portal/console/change-users';

/** What the boxes before these users send. */
async function boxesOf(visitor: Visitor, names: readonly string[]): Promise<Record<string, string>> {
  const text = await textOf(visitor, USERS);
  const boxes = names.map((name) => [`user.${name}`, valueOn(text, `user.${name}`) ?? assert.fail(name)]);
  return Object.fromEntries(boxes);
}

/** Ticks these users, says what is meant, and answers the question with yes. */
async function changeSeveral(
  visitor: Visitor,
  names: readonly string[],
  fields: Record<string, string>,
): Promise<Response> {
  const ticked = { ...(await boxesOf(visitor, names)), ...fields, formToken: await visitor.formToken(USERS) };
  const question = await visitor.post(SEVERAL, ticked);
  assert.equal(question.status, 200, await question.clone().text());
  const { text } = readPage(await question.text());
  for (const name of names) assert.ok(text.includes(name), name);
  return visitor.post(`${SEVERAL}/confirmed`, ticked);
}

const addUsers = async (service: TestService) => {
  for (const name of ['anna', 'bert', 'cleo']) await service.addUser(name);
};

const shownAs = async (visitor: Visitor, only: string) =>
  (await openPage(visitor, `${USERS}?only=${only}`)).rows.map(([name]) => name);

test('several users are disabled and enabled after one question that names them, each with its event', async (t) => {
  const { service, visitor } = await startConsole(t);
  await addUsers(service);
  const disabled = await changeSeveral(visitor, ['anna', 'bert'], { what: 'disable' });
  assert.equal(disabled.headers.get('location'), `${USERS}?done=several`);
  assert.deepEqual(await shownAs(visitor, 'disabled'), ['anna', 'bert']);
  assert.deepEqual((await latestKinds(service)).slice(0, 2), ['user-disabled', 'user-disabled']);
  assert.match(await textOf(visitor, `${USERS}?done=several`), /All the users that you ticked/);
  await changeSeveral(visitor, ['anna', 'bert'], { what: 'enable' });
  assert.deepEqual(await shownAs(visitor, 'disabled'), []);
});

test('after a change the list opens again where it was, and never another page', async (t) => {
  const { service, visitor } = await startConsole(t);
  await addUsers(service);
  const text = await textOf(visitor, `${USERS}?only=neverSignedIn&sort=-userName`);
  const back = valueOn(text, 'back') ?? assert.fail('the form does not know its page');
  const changed = await changeSeveral(visitor, ['anna'], { what: 'disable', back });
  const list = `${USERS}?only=neverSignedIn&sort=-userName`;
  assert.equal(changed.headers.get('location'), `${list}&done=several`);
  const elsewhere = await changeSeveral(visitor, ['bert'], { what: 'disable', back: '//evil.example/?a=b' });
  assert.equal(elsewhere.headers.get('location'), `${USERS}?done=several`);
});

test('nobody disables themselves with others: the others are disabled, and the page says who is not and why', async (t) => {
  const { service, visitor } = await startConsole(t);
  await addUsers(service);
  const answered = await changeSeveral(visitor, ['admin', 'anna'], { what: 'disable' });
  assert.equal(answered.status, 200);
  const { heading, rows, notices } = readPage(await answered.text());
  assert.equal(heading, '1 user was not changed');
  assert.deepEqual(rows, [['admin', 'This is you. Nobody disables themselves here.']]);
  assert.ok(notices.some(({ tone }) => tone === 'good'));
  assert.deepEqual(await shownAs(visitor, 'disabled'), ['anna']);
  assert.equal((await latestKinds(service))[0], 'user-disabled');
});

test('a name that went to another user since the list was shown is not changed, and is told', async (t) => {
  const { service, visitor } = await startConsole(t);
  await addUsers(service);
  const ticked = await boxesOf(visitor, ['anna', 'bert']);
  await visitor.send(`${USERS}/anna/remove`, `${USERS}/anna/remove`, { typed: 'anna' });
  await service.addUser('anna');
  const formToken = await visitor.formToken(USERS);
  const answered = await visitor.post(`${SEVERAL}/confirmed`, { ...ticked, what: 'disable', formToken });
  const { rows } = readPage(await answered.text());
  assert.deepEqual(
    rows.map(([name]) => name),
    ['anna'],
    'the name is that of another user now',
  );
  assert.deepEqual(await shownAs(visitor, 'disabled'), ['bert']);
});

test('several users join a group that the question asks for; a group that is none is asked for again', async (t) => {
  const { service, visitor } = await startConsole(t);
  await addUsers(service);
  await visitor.send('/portal/console/add-group', '/portal/console/add-group', { name: 'staff' });
  const missing = await changeSeveral(visitor, ['anna', 'bert'], { what: 'join-group', group: 'stuff' });
  assert.equal(missing.status, 422);
  assert.equal(valueOn(await missing.text(), 'group'), 'stuff');
  const joined = await changeSeveral(visitor, ['anna', 'bert'], { what: 'join-group', group: 'staff' });
  assert.equal(joined.status, 303);
  const { text } = await openPage(visitor, '/portal/console/groups/staff');
  for (const name of ['anna', 'bert']) assert.ok(text.includes(name), name);
});

test('an operator ends the tickets of several, and is offered and allowed nothing else', async (t) => {
  const { service, visitor } = await startConsole(t);
  await addUsers(service);
  await visitor.signIn('anna');
  const operator = await signedInAs(service, 'operator');
  const choices = elementsNamed(await textOf(operator, USERS), 'option', { value: 'disable' });
  assert.deepEqual(choices, []);
  const ended = await changeSeveral(operator, ['anna', 'bert'], { what: 'end-tickets' });
  assert.equal(ended.status, 303);
  assert.equal((await visitor.get('/portal/account')).status, 303);
  const boxes = { ...(await boxesOf(operator, ['anna'])), formToken: await operator.formToken(USERS) };
  assert.equal((await operator.post(`${SEVERAL}/confirmed`, { ...boxes, what: 'disable' })).status, 403);
  assert.deepEqual(await shownAs(operator, 'disabled'), []);
});

test('a form without a ticked user, or with more than 100, changes nobody and says what to do', async (t) => {
  const { service, visitor } = await startConsole(t);
  await addUsers(service);
  const formToken = await visitor.formToken(USERS);
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`user.u${at}`, String(at)]));
  const boxes = await boxesOf(visitor, ['anna']);
  for (const [fields, sentence] of [
    [{}, /ticked no user/],
    [{ ...many, ...boxes }, /At most 100 users/],
  ] as const)
    for (const path of [SEVERAL, `${SEVERAL}/confirmed`]) {
      const refused = await visitor.post(path, { ...fields, what: 'disable', formToken });
      assert.equal(refused.status, 422);
      assert.match(await refused.text(), sentence);
    }
  assert.deepEqual(await shownAs(visitor, 'disabled'), []);
});
