import assert from 'node:assert/strict';
import { person, testsOnSlapd } from '../../../service/slapd.ts';
import { relayTo, startWithDirectory } from './with-directory.ts';

const names = ['anna', 'ben', 'carl'];
const test = await testsOnSlapd({ entries: names.map((name) => person(name)) });

for (const scheme of ['ldap', 'ldaps'] as const) {
  test(`log-ins one after another bind on one connection (${scheme})`, async (t, slapd) => {
    const { port, sockets } = await relayTo(t, scheme === 'ldap' ? slapd.port : slapd.tlsPort);
    const service = await startWithDirectory(t, slapd, {
      TESSERA_LDAP_URLS: `${scheme}://127.0.0.1:${port}`,
      TESSERA_LDAP_CA: slapd.certificate.ca,
    });
    for (const name of names) assert.equal(await service.logIn(name), 200);
    assert.equal(sockets.length, 2, 'one that searches, and one for binds');
    assert.equal(await service.logIn('anna', 'wrong'), 403);
    assert.equal(sockets.length, 2);
    assert.equal(await service.logIn('ben', 'wrong'), 403);
    assert.equal(sockets.length, 3, 'one on which a bind failed is not used again');
  });

  test(`a log-in does not notice that the server closed the connection for binds (${scheme})`, async (t, slapd) => {
    const { port, sockets } = await relayTo(t, scheme === 'ldap' ? slapd.port : slapd.tlsPort);
    const service = await startWithDirectory(t, slapd, {
      TESSERA_LDAP_URLS: `${scheme}://127.0.0.1:${port}`,
      TESSERA_LDAP_CA: slapd.certificate.ca,
    });
    assert.equal(await service.logIn('anna'), 200);
    sockets[1]?.destroy();
    assert.equal(await service.logIn('ben'), 200);
    assert.deepEqual(await service.reasons('login-refused'), []);
  });
}

test('with StartTLS each bind has a connection of its own', async (t, slapd) => {
  const { port, sockets } = await relayTo(t, slapd.port);
  const service = await startWithDirectory(t, slapd, {
    TESSERA_LDAP_URLS: `ldap://127.0.0.1:${port}`,
    TESSERA_LDAP_START_TLS: 'true',
    TESSERA_LDAP_CA: slapd.certificate.ca,
  });
  for (const name of names) assert.equal(await service.logIn(name), 200);
  assert.equal(sockets.length, 4);
});
