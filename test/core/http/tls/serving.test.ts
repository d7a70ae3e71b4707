import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { connect as connectPlainly } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import tls, { type ConnectionOptions } from 'node:tls';
import { certificateFiles } from '../../../service/certified.ts';
import { startTestService } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';
import { until } from '../../../service/until.ts';
import { Connection } from '../connection.ts';

const REQUEST = 'GET /api/server HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

/** A service with a certificate for 127.0.0.1, which this process trusts until the test ends. */
async function startOverTls(t: TestContext) {
  const { ca, cert, key } = certificateFiles(t);
  const before = tls.getCACertificates();
  tls.setDefaultCACertificates([...before, readFileSync(ca, 'utf8')]);
  t.after(() => tls.setDefaultCACertificates(before));
  return startTestService(t, { TESSERA_TLS_CERT: cert, TESSERA_TLS_KEY: key });
}

/** The protocol of a handshake, or the code of its fault. */
async function handshake(url: string, options: ConnectionOptions): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = tls.connect({ host: hostname, port: Number(port), rejectUnauthorized: false, ...options });
  try {
    await once(socket, 'secureConnect');
    return `${socket.getProtocol()} ${socket.alpnProtocol || 'no protocol'}`;
  } catch (fault) {
    return String((fault as NodeJS.ErrnoException).code);
  } finally {
    socket.destroy();
  }
}

test('with TESSERA_TLS_CERT and TESSERA_TLS_KEY the port speaks TLS, and clients check its certificate', async (t) => {
  const { url } = await startOverTls(t);
  assert.match(url, /^https:\/\/127\.0\.0\.1:\d+$/);
  const ticket = await logIn(url);
  const validated = await fetch(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`);
  assert.equal(validated.status, 200);
  assert.ok((await validated.text()).includes(ticket));
});

test('only TLS 1.2 and 1.3 are spoken, even if Node would accept older versions', async (t) => {
  const before = { version: tls.DEFAULT_MIN_VERSION, ciphers: tls.DEFAULT_CIPHERS };
  tls.DEFAULT_MIN_VERSION = 'TLSv1';
  tls.DEFAULT_CIPHERS = 'DEFAULT@SECLEVEL=0';
  t.after(() => {
    tls.DEFAULT_MIN_VERSION = before.version;
    tls.DEFAULT_CIPHERS = before.ciphers;
  });
  const { url, lines } = await startOverTls(t);
  const only = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
    handshake(url, { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' });
  assert.equal(await only('TLSv1.3'), 'TLSv1.3 no protocol');
  assert.equal(await only('TLSv1.2'), 'TLSv1.2 no protocol');
  assert.equal(await only('TLSv1.1'), 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  await until('the failed handshake is logged', () =>
    lines.some((line) => /"address":"127\.0\.0\.1","fault":"ERR_SSL_.*TLS handshake failed/.test(line)),
  );
});

test('TLS 1.2 has only suites with forward secrecy and authenticated encryption, also after a renewal', async (t) => {
  const { ca, cert, key } = certificateFiles(t);
  const { url, lines } = await startTestService(t, { TESSERA_TLS_CERT: cert, TESSERA_TLS_KEY: key });
  const by = (ciphers: string) => handshake(url, { maxVersion: 'TLSv1.2', ciphers });
  const refused = 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE';
  assert.equal(await by('ECDHE-ECDSA-AES128-GCM-SHA256'), 'TLSv1.2 no protocol');
  assert.equal(await by('ECDHE-ECDSA-AES128-SHA'), refused);
  // A key for which TLS 1.2 also has suites without forward secrecy.
  const rsa = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=renewed'];
  execFileSync('openssl', [...rsa, '-keyout', key, '-out', ca], { stdio: 'pipe' });
  copyFileSync(ca, cert);
  await until('the certificate is loaded', () =>
    lines.some((line) => line.includes('"msg":"certificate loaded"')),
  );
  assert.equal(await by('ECDHE-RSA-AES128-GCM-SHA256'), 'TLSv1.2 no protocol');
  assert.equal(await by('AES128-GCM-SHA256'), refused);
  assert.equal(await by('ECDHE-RSA-AES128-SHA'), refused);
});

test('a client of TLS 1.2 cannot have the handshake repeated on its connection', async (t) => {
  const { url } = await startOverTls(t);
  const socket = tls.connect({
    host: '127.0.0.1',
    port: Number(new URL(url).port),
    rejectUnauthorized: false,
    maxVersion: 'TLSv1.2',
  });
  t.after(() => socket.destroy());
  await once(socket, 'secureConnect');
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.on('error', (fault) => resolve(String((fault as NodeJS.ErrnoException).code)));
  socket.renegotiate({ rejectUnauthorized: false }, (fault) => {
    if (fault === null) resolve('repeated');
  });
  assert.equal(await promise, 'ERR_SSL_NO_RENEGOTIATION');
});

test('HTTP/1.1 is negotiated by ALPN, and a client that speaks only HTTP/2 is refused', async (t) => {
  const { url } = await startOverTls(t);
  assert.equal(await handshake(url, { ALPNProtocols: ['h2', 'http/1.1'] }), 'TLSv1.3 http/1.1');
  assert.equal(
    await handshake(url, { ALPNProtocols: ['h2'] }),
    'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL',
  );
});

test('every answer over TLS has Strict-Transport-Security, and none over plain HTTP', async (t) => {
  const overTls = await startOverTls(t);
  const plain = await startTestService(t);
  for (const bytes of [
    REQUEST,
    REQUEST.replace('/api/server', '/nowhere'),
    REQUEST.replace('GET', 'OPTIONS'),
    'nonsense\r\n\r\n',
  ]) {
    const [secure = '', insecure = ''] = await Promise.all([
      headOf(overTls.url, bytes),
      headOf(plain.url, bytes),
    ]);
    assert.match(secure, /^HTTP\/1\.1 \d+ [\s\S]*\r\nStrict-Transport-Security: max-age=31536000(\r\n|$)/);
    assert.match(insecure, /^HTTP\/1\.1 \d+ /);
    assert.doesNotMatch(insecure, /Strict-Transport-Security/i);
  }
});

async function headOf(url: string, bytes: string) {
  const connection = await Connection.open(url);
  connection.sayLast(bytes);
  const [head = ''] = (await connection.untilClosed()).split('\r\n\r\n');
  return head;
}

test('plain HTTP on the TLS port is closed at once, and the log says why', async (t) => {
  const { url, lines } = await startOverTls(t);
  const socket = connectPlainly(Number(new URL(url).port), '127.0.0.1');
  socket.write(REQUEST);
  const heard = await text(socket).catch(() => '');
  assert.ok(!heard.includes('HTTP/1.1 200'), heard);
  await until('the fault is logged', () => lines.some((line) => line.includes('ERR_SSL_HTTP_REQUEST')));
});
