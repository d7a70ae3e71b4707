import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from 'node:tls';
import { type CertificatePaths, certificateFiles, tlsSettings } from '../../../service/certified.ts';
import { startTestService, type TestService, temporaryFolder } from '../../../service/start.ts';
import { until } from '../../../service/until.ts';
import { Connection } from '../connection.ts';

const DAY = 86_400_000;

/** The certificate that new connections get, in hex. */
async function served(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return raw.toString('hex');
}

const certificateIn = (file: string) =>
  Buffer.from(readFileSync(file, 'latin1').replace(/-----.*-----|\s/g, ''), 'base64').toString('hex');

/** A service whose certificate is replaced by `put`. */
async function start(t: TestContext) {
  const folder = await temporaryFolder(t);
  const own = { ca: '', cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  const put = ({ cert, key }: CertificatePaths) => {
    copyFileSync(cert, own.cert);
    copyFileSync(key, own.key);
  };
  const [first, second] = [certificateFiles(t), certificateFiles(t)];
  put(first);
  const service = await startTestService(t, tlsSettings(own));
  return { service, own, put, first, second };
}

const logs = ({ lines }: TestService, text: string) => lines.filter((line) => line.includes(text));

test('a certificate that changes is served to new connections without a reload, and open connections go on', async (t) => {
  const { service, put, first, second } = await start(t);
  assert.equal(await served(service.url), certificateIn(first.cert));
  const open = await Connection.open(service.url);
  put(second);
  await until(
    'the new certificate is served',
    async () => (await served(service.url)) === certificateIn(second.cert),
  );
  open.say('GET /api/server HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
  assert.match(await open.untilClosed(), /^HTTP\/1\.1 200 /);
});

test('a reload reads the files at once', async (t) => {
  const { service, put, second } = await start(t);
  put(second);
  service.reload();
  assert.equal(await served(service.url), certificateIn(second.cert));
  assert.equal(logs(service, 'certificate loaded').length, 1);
});

test('faulty files change nothing and are logged with the setting, and a corrected pair is served', async (t) => {
  const { service, own, put, first, second } = await start(t);
  for (const [break_, told] of [
    [() => rmSync(own.cert), /TESSERA_TLS_CERT: the file \S+ cannot be read \(ENOENT\): name one/],
    [
      () => writeFileSync(own.cert, 'no certificate'),
      /TESSERA_TLS_CERT: the file \S+ holds no certificate in PEM/,
    ],
    [
      () => copyFileSync(second.key, own.key),
      /TESSERA_TLS_KEY: the key in \S+ does not belong to the first certificate/,
    ],
  ] as const) {
    put(first);
    break_();
    service.reload();
    assert.equal(await served(service.url), certificateIn(first.cert));
    assert.match(logs(service, 'certificate faulty').at(-1) ?? '', told);
  }
  put(second);
  service.reload();
  assert.equal(await served(service.url), certificateIn(second.cert));
});

test('a certificate that should have been renewed by now causes a warning', async (t) => {
  const { service } = await start(t);
  service.shiftClock(1.8 * DAY);
  service.reload();
  const [line = '{}', ...more] = logs(service, 'renew it');
  assert.deepEqual(more, []);
  assert.match(
    JSON.parse(line).msg,
    /^TESSERA_TLS_CERT: the certificate in \S+ expires at 20\S+Z, and then /,
  );
});

test('a certificate that is not valid now is served with a warning that says what to do', async (t) => {
  const { service, own } = await start(t);
  assert.deepEqual(logs(service, 'clients refuse it'), []);
  service.shiftClock(3 * DAY);
  service.reload();
  service.shiftClock(-6 * DAY);
  service.reload();
  const [expired = '', early = '', ...more] = logs(service, 'clients refuse it').map((line) =>
    JSON.parse(line),
  );
  assert.deepEqual(more, []);
  assert.match(
    expired.msg,
    /^TESSERA_TLS_CERT: the certificate in \S+ expired at 20\S+Z, so clients refuse it: put a new one there, it is loaded without a restart$/,
  );
  assert.match(
    early.msg,
    /^TESSERA_TLS_CERT: the certificate in \S+ is valid from 20\S+Z on, so clients refuse it/,
  );
  assert.ok(expired.msg.includes(own.cert));
});
