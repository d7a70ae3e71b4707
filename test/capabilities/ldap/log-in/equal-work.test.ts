import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { freePort } from '../../../service/free-port.ts';
import { dnOf, person, type Slapd, testsOnSlapd, USER_PASSWORD } from '../../../service/slapd.ts';
import { startWithDirectory } from './with-directory.ts';

const test = await testsOnSlapd({ entries: ['anna', 'ben', 'carl', 'dora'].map((name) => person(name)) });

/** What a server is asked: new connections, one for each bind of a person, and requests on the one that searches. */
interface Asked {
  binds: number;
  requests: number;
}

/** A relay before a slapd that counts what it is asked. */
async function counted(t: TestContext, slapd: Slapd) {
  const asked: Asked = { binds: 0, requests: 0 };
  const sockets: Socket[] = [];
  const port = await freePort();
  const relay = createServer((socket) => {
    const onward = connect(slapd.port, '127.0.0.1');
    const first = sockets.length === 0;
    sockets.push(socket);
    if (!first) asked.binds += 1;
    socket.on('data', () => {
      if (first) asked.requests += 1;
    });
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) end.on('error', () => undefined);
  }).listen(port, '127.0.0.1');
  await once(relay, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
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
