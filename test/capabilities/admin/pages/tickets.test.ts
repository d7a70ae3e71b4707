import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Digest } from '../../../../src/core/domain/ticket.ts';
import { Visitor } from '../../../faces/pages/browse.ts';
import { attributeOf, elementsNamed } from '../../../faces/pages/markup.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';
import { pageOf, signedInAs } from './staff.ts';

const TICKETS = '/portal/console/tickets';

const rowsIn = (text: string) => readPage(text).rows;
const usersIn = (text: string) => rowsIn(text).map(([user]) => user);

const latestOf = async ({ store }: TestService) => {
  const [event] = await store.read(({ events }) => events.latest({ kind: 'tickets-revoked', limit: 1 }));
  return event;
};

test('an auditor sees whose tickets are live, with program and address, and no way to end one', async (t) => {
  const service = await startTestService(t);
  await service.addUser('a<b>');
  const agent = { 'Sec-Fetch-Site': 'same-origin', 'User-Agent': '<i>curl/8.5.0' };
  await new Visitor(service).post(
    '/portal/login',
    { username: 'a<b>', password: 'correct-horse-battery' },
    agent,
  );
  const visitor = await signedInAs(service, 'auditor');
  const text = await pageOf(visitor, TICKETS);
  const [row] = rowsIn(text).filter(([user]) => user === 'a<b>');
  assert.equal(row?.[2], '127.0.0.1');
  assert.match(row?.[3] as string, /UTC$/);
  assert.match(row?.[5] as string, /^[0-9a-f]{8}$/);
  assert.ok(text.includes('title="&lt;i&gt;curl/8.5.0"'));
  assert.ok(!text.includes('<b>') && !text.includes('<i>') && !/End all|end-ticket/.test(text));
  assert.match(await pageOf(visitor, TICKETS, 'de'), /Herunterladen:/);
});

test('a ticket for an access token names the provider of the token, in each list of tickets', async (t) => {
  const service = await startTestService(t);
  await service.addUser('bob');
  const bob = new Visitor(service);
  await bob.signIn('bob');
  await service.store.write(async ({ users, tickets }) => {
    const user = (await users.findByKey('bob')) ?? assert.fail('no bob');
    const ticket = {
      digest: 'c0ffee00'.repeat(8) as Digest,
      userId: user.id,
      userGeneration: user.generation,
      serverGeneration: await tickets.serverGeneration(),
      issuedAt: Date.now(),
      usedAt: Date.now(),
    };
    await tickets.issue(ticket);
    const origin = { from: '192.0.2.1', program: 'sync/1.0', appPassword: undefined, tokenProvider: 'acme' };
    await tickets.setOrigin(ticket, origin);
  });
  const textOf = async (...page: Parameters<typeof pageOf>) => readPage(await pageOf(...page)).text;
  const operator = await signedInAs(service, 'operator');
  for (const [visitor, page] of [
    [operator, TICKETS],
    [operator, '/portal/console/users/bob'],
    [bob, '/portal/account'],
  ] as const)
    assert.match(await textOf(visitor, page), /sync 1\.0 by an access token of acme/, page);
  assert.match(await textOf(bob, '/portal/account', 'de'), /mit einem Zugriffstoken von acme/);
});

test('an operator ends tickets of a user or of all on pages that say so, and an auditor none', async (t) => {
  const service = await startTestService(t);
  await service.addUser('bob');
  await logIn(service.url, 'bob');
  const operator = await signedInAs(service, 'operator');
  const listed = await pageOf(operator, `${TICKETS}?user=bob`);
  assert.deepEqual(usersIn(listed), ['bob']);
  const digest = rowsIn(listed)[0]?.[5] ?? assert.fail('no digest');
  const [end] = elementsNamed(listed, 'a', { 'aria-label': `End ticket ${digest} of bob` });
  assert.equal(end && attributeOf(end, 'href'), `/portal/console/users/bob/end-ticket?of=${digest}`);
  const { links } = readPage(listed);
  const leadsTo = (text: string) => links.find((link) => link.text === text)?.to;
  assert.equal(leadsTo('End all of bob'), '/portal/console/users/bob/end-tickets');
  assert.equal(leadsTo('End all tickets'), `${TICKETS}/end`);
  const auditor = await signedInAs(service, 'auditor');
  assert.ok(!(await pageOf(auditor, TICKETS)).includes(`${TICKETS}/end"`));
  assert.equal((await auditor.get(`${TICKETS}/end`)).status, 403);
  assert.equal((await auditor.send('/portal/account', `${TICKETS}/end`)).status, 403);
});

test('ending all tickets says how many people that signs out, and ends them', async (t) => {
  const service = await startTestService(t);
  for (const name of ['ann', 'bob']) {
    await service.addUser(name);
    for (const _ of [1, 2]) await logIn(service.url, name);
  }
  const visitor = await signedInAs(service, 'administrator');
  assert.match(
    await pageOf(visitor, `${TICKETS}/end`),
    /This signs out 3 people, in every program at once, yourself too\./,
  );
  const forged = await visitor.post(`${TICKETS}/end`, { formToken: 'forged' });
  assert.equal(forged.status, 403);
  assert.equal(usersIn(await pageOf(visitor, TICKETS)).length, 5);
  const done = await visitor.send(`${TICKETS}/end`, `${TICKETS}/end`);
  assert.equal(done.headers.get('location'), `${TICKETS}?done=ended`);
  assert.equal((await visitor.get(TICKETS)).status, 303, 'the own ticket has ended');
  const event = await latestOf(service);
  assert.deepEqual([event?.actor, event?.reason], ['admin', 'all']);
  await visitor.signIn('admin');
  const after = await pageOf(visitor, `${TICKETS}?done=ended`);
  assert.match(after, /All tickets have ended\./);
  assert.deepEqual(usersIn(after), ['admin']);
  assert.match(
    await pageOf(visitor, `${TICKETS}/end`),
    /This signs out 1 person, in every program at once: yourself\./,
  );
});

test('a long list has pages, and ended tickets are passed over', async (t) => {
  const service = await startTestService(t);
  for (let user = 0; user < 12; user += 1) {
    await service.addUser(`user-${user}`);
    for (let ticket = 0; ticket < 10; ticket += 1) await logIn(service.url, `user-${user}`);
    if (user < 7) {
      await service.store.write(async ({ users }) => {
        const found = await users.findByKey(`user-${user}`);
        await users.change(found?.id as number, { generation: 1 });
      });
    }
  }
  const visitor = await signedInAs(service, 'auditor');
  const seen: (string | undefined)[] = [];
  let path: string | undefined = TICKETS;
  let pages = 0;
  while (path !== undefined) {
    const text: string = await pageOf(visitor, path);
    seen.push(...usersIn(text));
    pages += 1;
    path = readPage(text).next;
  }
  assert.equal(seen.length, 51, '50 of five users, and the own one');
  assert.ok(pages > 1);
  assert.deepEqual([...new Set(seen)].toSorted(), ['auditor', ...[10, 11, 7, 8, 9].map((n) => `user-${n}`)]);
});

test('an unknown user is said at the field; a mangled cursor is refused', async (t) => {
  const visitor = await signedInAs(await startTestService(t), 'administrator');
  const text = await pageOf(visitor, `${TICKETS}?user=nemo`);
  assert.match(text, /There is no user of this name\..*There is no live ticket\./s);
  assert.ok(!text.includes('nemo/end-tickets'));
  assert.equal((await visitor.get(`${TICKETS}?cursor=x`)).status, 400);
});
