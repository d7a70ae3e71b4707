import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { dnOf, person, type Slapd, testsOnSlapd, USER_PASSWORD } from '../../../service/slapd.ts';
import { relayTo, startWithDirectory } from './with-directory.ts';

const test = await testsOnSlapd({ entries: ['anna', 'ben', 'carl', 'dora'].map((name) => person(name)) });

/** What a server is asked: binds of people, and requests on the connection that searches. */
interface Asked {
  binds: number;
  requests: number;
}

/** Whether this message of LDAP is a bind (RFC 4511, sections 4.1.1 and 4.2): its tag stands behind the lengths and the number. */
function isBind(message: Buffer): boolean {
  const [, length = 0] = message;
  const number = length < 0x80 ? 2 : 2 + (length & 0x7f);
  return message[number + 2 + (message[number + 1] ?? 0)] === 0x60;
}

/** A relay before a slapd that counts what it is asked. */
async function counted(t: TestContext, slapd: Slapd) {
  const asked: Asked = { binds: 0, requests: 0 };
  const { port } = await relayTo(t, slapd.port, (socket, connections) =>
    socket.on('data', (message: Buffer) => {
      if (connections === 1) asked.requests += 1;
      else if (isBind(message)) asked.binds += 1;
    }),
  );
  return { url: `ldap://127.0.0.1:${port}`, asked };
}

test('a refusal asks the directory as much for each kind of name', async (t, slapd) => {
  const { url, asked } = await counted(t, slapd);
  const service = await startWithDirectory(t, slapd, { TESSERA_LDAP_URLS: url, TESSERA_LDAP_GROUP_BASE: '' });
  await service.addUser('local');
  for (const name of ['anna', 'carl', 'dora']) assert.equal(await service.logIn(name), 200);
  const { id = 0 } = (await service.user('carl')) ?? {};
  await service.store.write(({ users }) => users.change(id, { disabled: true }));
  slapd.change(dnOf('dora'), 'replace: pwdAccountLockedTime', 'pwdAccountLockedTime: 000001010000Z');
  const workOf = async (name: string, password: string) => {
    Object.assign(asked, { binds: 0, requests: 0 });
    assert.equal(await service.logIn(name, password), 403, name);
    return { ...asked };
  };
  for (const [name, password] of [
    ['no.one', 'wrong'],
    ['local', 'wrong'],
    ['admin', 'wrong'],
    ['anna', 'wrong'],
    ['ben', 'wrong'],
    ['carl', USER_PASSWORD],
    ['dora', USER_PASSWORD],
    ['anna ', USER_PASSWORD],
  ] as const)
    assert.deepEqual(await workOf(name, password), { binds: 1, requests: 1 }, name);
});
