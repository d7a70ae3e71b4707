import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SettingsFaulty } from '../../../../src/core/settings/read.ts';
import { readSettings } from '../../../../src/main/settings.ts';
import { certificateFiles, tlsSettings } from '../../../service/certified.ts';
import { startTestService, temporaryFolder } from '../../../service/start.ts';

test('a certificate or a key that cannot be used ends the start, with the setting and the mend', async (t) => {
  const [good, other] = [certificateFiles(t), certificateFiles(t)];
  const folder = await temporaryFolder(t);
  const at = (name: string) => join(folder, name);
  writeFileSync(at('text'), 'SECRET');
  const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { stdio: 'pipe' });
  openssl('x509', '-in', good.cert, '-outform', 'DER', '-out', at('cert.der'));
  openssl('pkey', '-in', good.key, '-aes256', '-passout', 'pass:x', '-out', at('encrypted'));
  openssl('genrsa', '-out', at('short.key'), '1024');
  openssl('req', '-x509', '-key', at('short.key'), '-out', at('short.pem'), '-subj', '/CN=x', '-sha256');
  const short = { cert: at('short.pem'), key: at('short.key') };
  for (const [pair, told] of [
    [
      { cert: at('none') },
      /TESSERA_TLS_CERT: the file \S+\/none cannot be read \(ENOENT\): name one that is there/,
    ],
    [{ cert: folder }, /TESSERA_TLS_CERT: the file \S+ cannot be read \(EISDIR\)/],
    [{ cert: at('text') }, /TESSERA_TLS_CERT: the file \S+ holds no certificate in PEM: convert it/],
    [{ cert: at('cert.der') }, /TESSERA_TLS_CERT: the file \S+ holds no certificate in PEM: convert it/],
    [
      { key: at('none') },
      /TESSERA_TLS_KEY: the file \S+\/none cannot be read \(ENOENT\): name one that is there/,
    ],
    [{ key: at('text') }, /TESSERA_TLS_KEY: the file \S+ holds no private key in PEM: convert it/],
    [{ key: at('encrypted') }, /TESSERA_TLS_KEY: the key in \S+ is encrypted: write it without a passphrase/],
    [
      { key: other.key },
      /TESSERA_TLS_KEY: the key in \S+ does not belong to the first certificate in \S+: name/,
    ],
    [
      short,
      /TESSERA_TLS_CERT: the certificates in \S+ cannot be served: .*key too small.*: have them issued anew/,
    ],
  ] as const) {
    const starting = startTestService(t, tlsSettings({ ...good, ...pair }));
    await assert.rejects(starting, (error) => {
      assert.ok(error instanceof SettingsFaulty);
      assert.match(error.message, told);
      assert.doesNotMatch(error.message, /SECRET/);
      return true;
    });
  }
});

test('a certificate without its key, or a key without its certificate, is a fault of the settings', () => {
  for (const [given, missing] of [
    ['TESSERA_TLS_CERT', 'TESSERA_TLS_KEY'],
    ['TESSERA_TLS_KEY', 'TESSERA_TLS_CERT'],
  ] as const)
    assert.throws(() => readSettings({ flags: {}, env: { [given]: '/some/file' } }), {
      faults: [
        `${missing}: name the file that belongs to ${given}, or remove both: TLS needs a certificate and its key`,
      ],
    });
});

test('a Unix socket speaks no TLS, and a start that asks for both says so', (t) => {
  const env = { ...tlsSettings(certificateFiles(t)), TESSERA_HOST: 'unix:/run/tessera/http.sock' };
  assert.throws(() => readSettings({ flags: {}, env }), /TESSERA_TLS_CERT: a Unix socket does not speak TLS/);
});
