import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConnectionOptions, connect, createServer, type TlsOptions } from 'node:tls';
import { whyNoTls } from '../../src/engines/connection-faults.ts';
import { temporaryFolder } from '../service/start.ts';

const NAMES = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' };

/** What makes certificates with `openssl`: for `localhost` or another host, in whatever years. Each vouches for itself. */
function certifier(folder: string) {
  let number = 0;
  return (years: readonly [number, number], host = 'localhost') => {
    number += 1;
    const [key, request, certificate, index, config] = ['key', 'csr', 'crt', 'index', 'cnf'].map((end) =>
      join(folder, `${number}.${end}`),
    ) as [string, string, string, string, string];
    const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'pipe' });
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    openssl('req', ...kind, '-keyout', key, '-out', request, '-subj', `/CN=${host}`);
    writeFileSync(index, '');
    writeFileSync(
      config,
      `[ca]\ndefault_ca = own\n[own]\ndatabase = ${index}\nnew_certs_dir = ${folder}\nrand_serial = yes\n` +
        `default_md = sha256\npolicy = any\nx509_extensions = names\n[any]\ncommonName = supplied\n` +
        `[names]\nsubjectAltName = DNS:${host}\n`,
    );
    const [from, to] = years.map((year) => `${year}0101000000Z`) as [string, string];
    const times = ['-startdate', from, '-enddate', to];
    openssl(
      'ca',
      '-batch',
      '-selfsign',
      '-config',
      config,
      '-keyfile',
      key,
      '-in',
      request,
      '-out',
      certificate,
      ...times,
    );
    return { key: readFileSync(key), cert: readFileSync(certificate) };
  };
}

/** The error of a client that fails to connect; throws where it does not fail. */
async function faultBetween(server: TlsOptions, client: ConnectionOptions): Promise<Error> {
  const listening = createServer(server, (socket) => socket.on('error', () => undefined).end('welcome'));
  listening.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  const { promise, resolve, reject } = Promise.withResolvers<Error>();
  try {
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ...client });
    socket.on('error', resolve).on('data', () => reject(new Error('it was let in')));
    return await promise;
  } catch (error) {
    if ((error as { code?: string }).code === undefined) throw error;
    return error as Error;
  } finally {
    listening.close();
  }
}

test('why TLS fails is told with what mends it: another certificate, another name, another authority, a newer TLS', async (t) => {
  const certificateFor = certifier(await temporaryFolder(t));
  const good = certificateFor([2020, 2099]);
  const expired = certificateFor([2020, 2021]);
  const future = certificateFor([2098, 2099]);
  const elsewhere = certificateFor([2020, 2099], 'elsewhere.example.org');
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  const cases: [RegExp, TlsOptions, ConnectionOptions][] = [
    [/not trusted \(certificate has expired\): renew it/, expired, { ca: expired.cert }],
    [/not trusted \(certificate is not yet valid\): renew it.*clock/, future, { ca: future.cert }],
    [/not trusted .*elsewhere.*: name the host as the certificate does/, elsewhere, { ca: elsewhere.cert }],
    [/not trusted .*: name its authority with sslrootcert/, good, {}],
    [/not trusted .*: name its authority with sslrootcert/, good, { ca: elsewhere.cert }],
    [/speaks no TLS 1\.2 or later: allow that there/, { ...good, ...old }, { ca: good.cert }],
    [
      /asks for a certificate: name one with sslcert and sslkey/,
      { ...good, requestCert: true, ca: good.cert },
      { ca: good.cert },
    ],
    [/sslcert and sslkey do not belong together/, good, { ca: good.cert, cert: good.cert, key: expired.key }],
  ];
  for (const [expected, server, client] of cases)
    assert.match(whyNoTls(await faultBetween(server, client), NAMES) ?? 'nothing was told', expected);
});

test('what a server says of our certificate is told as that', () => {
  for (const alert of [
    'tlsv1 alert unknown ca',
    'ssl/tls alert bad certificate',
    'ssl/tls alert certificate expired',
  ])
    assert.match(
      whyNoTls(new Error(`error:0A000418:SSL routines:ssl3_read_bytes:${alert}`), NAMES) ??
        'nothing was told',
      /does not trust the certificate in sslcert/,
    );
  assert.equal(whyNoTls(new Error('read ECONNRESET'), NAMES), undefined);
});
