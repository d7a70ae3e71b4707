import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** What a server over TLS is started with. */
export interface ServerCertificate {
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** Files with a server's key and certificate, and with the authority that signed it. */
export interface CertificatePaths {
  readonly ca: string;
  readonly key: string;
  readonly cert: string;
}

/** A server key with a certificate for these names, and the authority that signed it. */
export function certified(t: TestContext, name?: string) {
  const { ca, key, cert } = certificateFiles(t, name);
  return { ca, key: readFileSync(key), cert: readFileSync(cert) };
}

/** The settings with which a service serves this certificate. */
export function tlsSettings({ cert, key }: CertificatePaths) {
  return { TESSERA_TLS_CERT: cert, TESSERA_TLS_KEY: key };
}

/** The same in files, which are removed after the test. Without a `name` the certificate has 127.0.0.1; '' for none. */
export function certificateFiles(t: TestContext, name?: string, subject?: string): CertificatePaths {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return makeCertificate(folder, name, subject);
}

/** Makes those files in a folder. */
export function makeCertificate(folder: string, name = 'IP:127.0.0.1', subject = 'old'): CertificatePaths {
  const file = (last: string) => join(folder, last);
  const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { stdio: 'pipe' });
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const ca = file('ca.pem');
  openssl('req', '-x509', ...ec, '-keyout', file('ca.key'), '-out', ca, '-subj', '/CN=Authority of a test');
  const names = name === '' ? [] : ['-addext', `subjectAltName=${name}`];
  const signed = ['-CA', ca, '-CAkey', file('ca.key'), ...names];
  const own = ['-keyout', file('server.key'), '-out', file('server.pem'), '-subj', `/CN=${subject}`];
  openssl('req', '-x509', ...ec, ...signed, ...own, '-addext', 'basicConstraints=critical,CA:FALSE');
  return { ca, key: file('server.key'), cert: file('server.pem') };
}
