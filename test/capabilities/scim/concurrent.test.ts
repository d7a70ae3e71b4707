import assert from 'node:assert/strict';
import { testsOnPostgres } from '../../service/postgres.ts';
import { openPostgres } from '../../service/stores.ts';
import { patchOf, startScim } from './scim.ts';

const test = await testsOnPostgres();

test('of requests at the same moment one adds the user or the group, and the others are told that it is there', async (t, server) => {
  const store = await openPostgres(await server.freshSchema());
  const { ask } = await startScim(t, {}, () => store);
  for (const bodies of [
    [1, 2, 3].map((n) => ['POST /Users', { userName: `user-${n}`, externalId: 'same' }] as const),
    [1, 2, 3].map((n) => ['POST /Users', { userName: 'same', externalId: `e-${n}` }] as const),
    [1, 2, 3].map(() => ['POST /Groups', { displayName: 'Same: here' }] as const),
  ]) {
    const answers = await Promise.all(bodies.map(([what, body]) => ask(what, body)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  }
  const [group] = (await ask('GET /Groups')).body.Resources;
  const users = (await ask('GET /Users?filter=userName ne "admin"')).body.Resources;
  assert.equal(users.length, 2);
  const add = users.map(({ id: value }: { id: string }) =>
    patchOf({ op: 'add', path: 'members', value: [{ value }] }),
  );
  await Promise.all(add.map((body: object) => ask(`PATCH /Groups/${group.id}`, body)));
  assert.equal((await ask(`GET /Groups/${group.id}`)).body.members.length, 2);
});
