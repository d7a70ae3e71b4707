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

/** A server key with a certificate for 127.0.0.1, and the authority that signed it. */
export function certified(t: TestContext, name = 'IP:127.0.0.1') {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = (last: string) => join(folder, last);
  const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { stdio: 'pipe' });
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const ca = file('ca.pem');
  openssl('req', '-x509', ...ec, '-keyout', file('ca.key'), '-out', ca, '-subj', '/CN=Authority of a test');
  const signed = ['-CA', ca, '-CAkey', file('ca.key'), '-addext', `subjectAltName=${name}`];
  const own = ['-keyout', file('server.key'), '-out', file('server.pem'), '-subj', '/CN=old'];
  openssl('req', '-x509', ...ec, ...signed, ...own, '-addext', 'basicConstraints=critical,CA:FALSE');
  return { ca, key: readFileSync(file('server.key')), cert: readFileSync(file('server.pem')) };
}
