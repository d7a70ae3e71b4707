import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { type Postgres, testsOnOwnPostgres } from '../../service/postgres.ts';
import { temporaryFolder } from '../../service/start.ts';
import { withoutChecksByDefault } from '../../service/unchecked-tls.ts';
import { openUntilEnd, whyNotOpened } from './opened.ts';

const test = await testsOnOwnPostgres();

/** Gives the server a self-signed certificate for `name`; returns its file. */
async function certify(t: TestContext, server: Postgres, name: string): Promise<string> {
  const folder = await temporaryFolder(t);
  const [key, certificate] = [join(folder, 'server.key'), join(folder, 'server.crt')];
  const words = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ];
  const names = [
    '-subj',
    `/CN=${name}`,
    '-addext',
    `subjectAltName=${name.startsWith('127.') ? 'IP' : 'DNS'}:${name}`,
  ];
  execFileSync('openssl', [...words, '-keyout', key, '-out', certificate, ...names], { stdio: 'pipe' });
  const { uid, gid } = statSync(server.data);
  for (const file of [key, certificate]) {
    const there = join(server.data, file === key ? 'server.key' : 'server.crt');
    copyFileSync(file, there);
    chmodSync(there, 0o600);
    chownSync(there, uid, gid);
  }
  server.configure('ssl = on');
  await server.reload();
  return certificate;
}

const withMode = (url: string, mode: string) => `${url}${url.includes('?') ? '&' : '?'}sslmode=${mode}`;

test('a server without TLS is refused where TLS is asked for, with the mend', async (_t, server) => {
  for (const mode of ['require', 'verify-full'])
    assert.match(
      await whyNotOpened(withMode(await server.freshSchema(), mode)),
      /speaks no TLS: .*sslmode=disable/,
    );
});

test('a server is trusted as far as the mode says, and what passes is encrypted', async (t, server) => {
  const certificate = await certify(t, server, '127.0.0.1');
  const url = await server.freshSchema();
  const trusted = `&sslrootcert=${encodeURIComponent(certificate)}`;
  assert.match(
    await whyNotOpened(withMode(url, 'verify-full')),
    /its certificate is not trusted .*sslrootcert/,
  );
  for (const ask of ['require', `require${trusted}`, `verify-ca${trusted}`, `verify-full${trusted}`]) {
    const store = await openUntilEnd(t, withMode(url, ask));
    assert.ok(await store.read((unit) => unit.nodes.root('workspace://SpacesStore')));
    const open = await server.ask(
      `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'tessera'`,
    );
    assert.ok(open.length > 0 && open.every(({ ssl }) => ssl === true), ask);
    await addUser(store, ask);
    await store.close();
  }
});

test('a certificate for another name is refused in full, and believed when only its authority is checked', async (t, server) => {
  const certificate = await certify(t, server, 'elsewhere.example.org');
  const url = await server.freshSchema();
  const trusted = `&sslrootcert=${encodeURIComponent(certificate)}`;
  assert.match(
    await whyNotOpened(withMode(url, `verify-full${trusted}`)),
    /its certificate is not trusted .*: name the host as the certificate does/,
  );
  const store = await openUntilEnd(t, withMode(url, `verify-ca${trusted}`));
  assert.equal((await addUser(store, 'ada')).name, 'ada');
});

test('no environment variable makes an unknown certificate trusted', async (t, server) => {
  await certify(t, server, '127.0.0.1');
  const url = withMode(await server.freshSchema(), 'verify-full');
  await withoutChecksByDefault(async () => {
    assert.match(await whyNotOpened(url), /its certificate is not trusted/);
  });
});
