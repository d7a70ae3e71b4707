import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD } from '../../../service/start.ts';
import { serviceWithAna } from './service.ts';

test('a user that the command line adds logs in with the next request', async (t) => {
  const { tessera, validate, logIn } = await serviceWithAna(t);
  await tessera('users add bob --password-stdin', PASSWORD);
  assert.equal(await validate(await logIn('bob')), 200);
});

test('commands that run at the same time beside logins are all done, and every login is answered', async (t) => {
  const { tessera, validate, logIn } = await serviceWithAna(t);
  const names = ['bob', 'eve', 'joe'];
  let adding = true;
  const added = Promise.all(names.map((name) => tessera(`users add ${name} --no-password`))).finally(() => {
    adding = false;
  });
  const tickets: string[] = [];
  while (adding) tickets.push(await logIn());
  assert.deepEqual(
    await added,
    names.map((name) => `Added "${name}".\n`),
  );
  for (const name of names) assert.equal(await validate(await logIn(name, '')), 200);
  assert.ok(tickets.length > 0);
  assert.deepEqual(new Set(await Promise.all(tickets.slice(-50).map(validate))), new Set([200]));
});
