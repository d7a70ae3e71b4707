import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net';
import { freePort } from '../../../service/free-port.ts';
import {
  dnOf,
  groupOf,
  person,
  READER,
  READER_PASSWORD,
  SUFFIX,
  testsOnSlapd,
  USER_PASSWORD,
} from '../../../service/slapd.ts';
import { PASSWORD } from '../../../service/start.ts';
import { ask } from '../../../service/talk.ts';
import { until } from '../../../service/until.ts';
import { type DirectoryService, startWithDirectory } from './with-directory.ts';

const test = await testsOnSlapd({
  entries: [person('anna'), person('ben'), groupOf('staff', dnOf('anna'))],
  sizeLimit: 3,
});

/** The answer to a login of anna by GET. */
const login = ({ url }: DirectoryService, name = 'anna', password = USER_PASSWORD) =>
  ask(`${url}/alfresco/service/api/login?${new URLSearchParams({ u: name, pw: password })}`);

/** Asserts that logins of the directory's people get 503, count as no failure, and that local users still enter. */
async function assertUnavailable(service: DirectoryService, fault: RegExp): Promise<void> {
  for (let time = 0; time < 4; time += 1) {
    const { status, headers } = await login(service);
    assert.equal(status, 503);
    assert.ok(Number(headers.get('retry-after')) > 0);
  }
  assert.equal((await login(service, 'no.one')).status, 503);
  assert.equal(await service.logIn('admin', PASSWORD), 200);
  assert.deepEqual(await service.reasons('login-refused'), []);
  const told = service.lines.map((line) => JSON.parse(line)).filter(({ server }) => server !== undefined);
  assert.equal(told.length, 1);
  assert.match(told[0].fault, fault);
  const log = service.lines.join('');
  for (const secret of [USER_PASSWORD, READER_PASSWORD, 'no.one']) assert.ok(!log.includes(secret), secret);
}

test('while no server answers, logins are 503 and count as no failure, and local users enter', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, { TESSERA_THROTTLE_AFTER: '1' });
  const ticket = await service.ticket('anna');
  await slapd.kill();
  t.after(() => slapd.resume());
  await assertUnavailable(service, /ECONNREFUSED|closed/);
  assert.equal(await service.isLive(ticket), true);
  const metrics = await service.watched.metrics.text();
  for (const outcome of ['answered', 'failed', 'unavailable'])
    assert.match(
      metrics,
      new RegExp(`^tessera_directory_requests_total\\{outcome="${outcome}"\\} [1-9]`, 'm'),
    );
  assert.match(metrics, /^tessera_directory_silent 1$/m);
  // A wrong password of a local user is checked here, and counts.
  assert.equal(await service.logIn('admin', 'wrong'), 503);
  assert.deepEqual(await service.reasons('login-refused'), ['wrong-password']);
});

test('a server that hangs is given up at the deadline, and not asked again for a while', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, { TESSERA_LDAP_DEADLINE: 'PT0.2S' });
  slapd.freeze();
  t.after(() => slapd.thaw());
  await assertUnavailable(service, /did not answer in time/);
});

test('after three failures in a row a server is left alone for a while', async (t, slapd) => {
  let connections = 0;
  const sockets: Socket[] = [];
  const silent = createServer((socket) => {
    connections += 1;
    sockets.push(socket);
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const service = await startWithDirectory(t, slapd, {
    TESSERA_LDAP_URLS: `ldap://127.0.0.1:${port}`,
    TESSERA_LDAP_DEADLINE: 'PT0.1S',
  });
  for (let time = 0; time < 6; time += 1) assert.equal((await login(service)).status, 503);
  assert.equal(connections, 3);
});

test('a connection that broke silently is replaced', async (t, slapd) => {
  const port = await freePort();
  const sockets = new Set<Socket>();
  // Between them: it can go silent, or forget a connection.
  const relay = createServer((socket) => {
    const onward = connectTo(slapd.port, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) end.on('error', () => undefined);
    sockets.add(socket);
  }).listen(port, '127.0.0.1');
  await once(relay, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
  const service = await startWithDirectory(t, slapd, {
    TESSERA_LDAP_URLS: `ldap://127.0.0.1:${port}`,
    TESSERA_LDAP_DEADLINE: 'PT2S',
  });
  assert.equal(await service.logIn('anna'), 200);
  // The server closes what is idle for long.
  for (const socket of sockets) socket.destroy();
  assert.equal(await service.logIn('anna'), 200);
  // A firewall drops it, and neither end learns of it.
  for (const socket of sockets) socket.unpipe().pause();
  assert.equal((await login(service)).status, 503);
  assert.equal(await service.logIn('anna'), 200);
});

test('the next server is asked when the first one is dead, and then without waiting for it', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, {
    TESSERA_LDAP_URLS: `ldap://127.0.0.1:${await freePort()},${slapd.url}`,
  });
  for (let time = 0; time < 5; time += 1) assert.equal(await service.logIn('anna'), 200);
  assert.equal(await service.logIn('anna', 'wrong'), 403);
  const told = service.lines.filter((line) => line.includes('ECONNREFUSED'));
  assert.equal(told.length, 1);
});

test('TLS is checked against the file of certificates, by StartTLS and from the start', async (t, slapd) => {
  const { ca } = slapd.certificate;
  for (const env of [
    { TESSERA_LDAP_URLS: slapd.tlsUrl },
    { TESSERA_LDAP_URLS: slapd.url, TESSERA_LDAP_START_TLS: 'true' },
  ]) {
    const trusting = await startWithDirectory(t, slapd, { ...env, TESSERA_LDAP_CA: ca });
    assert.equal(await trusting.logIn('anna'), 200);
    const other = await startWithDirectory(t, slapd, env);
    await assertUnavailable(other, /no trusted authority signed its certificate/);
  }
  const upgraded = await startWithDirectory(t, slapd, {
    TESSERA_LDAP_START_TLS: 'true',
    TESSERA_LDAP_CA: ca,
  });
  assert.equal(await upgraded.logIn('anna'), 200);
  await slapd.kill();
  await slapd.resume();
  assert.equal(await upgraded.logIn('anna'), 200);
  const elsewhere = slapd.tlsUrl.replace('127.0.0.1', 'localhost');
  const misnamed = await startWithDirectory(t, slapd, { TESSERA_LDAP_URLS: elsewhere, TESSERA_LDAP_CA: ca });
  await assertUnavailable(misnamed, /certificate is for another host/);
});

test('a search account that is refused makes logins 503, with the account in the log', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd);
  slapd.setPassword(READER, 'changed-meanwhile');
  t.after(() => slapd.setPassword(READER, READER_PASSWORD));
  await assertUnavailable(service, /refuses the account "cn=reader,dc=example,dc=org"/);
});

test('a base that is not there makes logins 503, with the base in the log', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, { TESSERA_LDAP_USER_BASE: `ou=nowhere,${SUFFIX}` });
  await assertUnavailable(service, /there is no entry "ou=nowhere/);
});

test('groups that the server does not give whole stay as they were', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd);
  assert.equal(await service.logIn('anna'), 200);
  assert.deepEqual(await service.groups('anna'), ['staff']);
  slapd.add(...[1, 2, 3, 4].map((n) => groupOf(`more${n}`, dnOf('anna'))));
  assert.equal(await service.logIn('anna'), 200);
  assert.deepEqual(await service.groups('anna'), ['staff']);
});

test('a server that answers again is asked again', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd);
  await slapd.kill();
  assert.equal(await service.logIn('anna'), 503);
  await slapd.resume();
  await until('the directory is asked again', async () => (await service.logIn('anna')) === 200);
  assert.ok(service.lines.some((line) => line.includes('answers again')));
});
