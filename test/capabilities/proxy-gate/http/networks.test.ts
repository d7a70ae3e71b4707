import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forwarded, startRuled } from './ruled.ts';

/** The statuses of a request to these addresses of clients, as the proxy tells them; `undefined` for no header. */
async function statusesFrom(
  { ask }: Pick<Awaited<ReturnType<typeof startRuled>>, 'ask'>,
  from: readonly (string | undefined)[],
  caller?: 'mia',
): Promise<number[]> {
  const statuses: number[] = [];
  for (const address of from) {
    const headers = { ...forwarded('GET x/a'), ...(address !== undefined && { 'X-Forwarded-For': address }) };
    statuses.push((await ask('GET x/a', caller, headers)).status);
  }
  return statuses;
}

const OFFICE = { networks: ['10.0.0.0/8', '192.0.2.7', '2001:db8:1:2:3::/80'] };

test('a rule about networks decides over clients in them, and the next rule over all others', async (t) => {
  const ruled = await startRuled(t, [{ ...OFFICE, allow: 'public' }, { allow: { groups: ['editors'] } }]);
  const inside = ['10.1.2.3', '192.0.2.7', '2001:db8:1:2:3::9', '::ffff:10.0.0.1', '203.0.113.9, 10.1.2.3'];
  assert.deepEqual(
    await statusesFrom(ruled, inside),
    inside.map(() => 204),
  );
  const outside = ['11.0.0.1', '192.0.2.8', '2001:db8:1:2:4::9', '10.1.2.3, 203.0.113.9'];
  assert.deepEqual(
    await statusesFrom(ruled, outside),
    outside.map(() => 401),
  );
  assert.deepEqual(
    await statusesFrom(ruled, outside, 'mia'),
    outside.map(() => 204),
  );
});

test('a client is not believed in place of the proxy, and no address is not let through', async (t) => {
  const ruled = await startRuled(t, [
    { ...OFFICE, allow: 'none' },
    { networks: ['127.0.0.0/8'], allow: 'public' },
    { allow: 'public' },
  ]);
  // The proxy itself is in 127.0.0.0/8: without an address from it, nobody knows where the client is.
  const unknown = [undefined, '', 'unknown', '10.1.2.3, unknown', 'unknown, 127.0.0.1'];
  assert.deepEqual(
    await statusesFrom(ruled, unknown),
    unknown.map(() => 403),
  );
  const { text } = await ruled.ask('GET x/a');
  assert.match(text, /X-Forwarded-For is missing or no address: let the proxy set it/);
  assert.deepEqual(await statusesFrom(ruled, ['203.0.113.9', '10.1.2.3']), [204, 403]);
});
