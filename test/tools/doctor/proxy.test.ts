import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { run } from '../../faces/cli/command.ts';
import { afterwards } from '../../service/afterwards.ts';
import { certificateFiles } from '../../service/certified.ts';
import { startTestService, temporaryFolder } from '../../service/start.ts';
import { examine, wellSetUp } from './examined.ts';

type Passing = (headers: IncomingHttpHeaders) => IncomingHttpHeaders;

/** A proxy in front of `url`, which passes requests on with these headers. */
const passingTo =
  (url: string, passing: Passing): RequestListener =>
  (asked, answer) => {
    const onward = request(`${url}${asked.url}`, { headers: passing(asked.headers) }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    onward.end();
  };

async function listening(t: TestContext, server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => server.close());
  return (server.address() as AddressInfo).port;
}

/** A service that trusts the proxies of this machine, and a doctor who has a key for it. */
async function behindProxy(t: TestContext, trusted: Record<string, string>) {
  const service = await startTestService(t, trusted);
  const { env } = await wellSetUp(t);
  const key = join(await temporaryFolder(t), 'key');
  writeFileSync(key, await service.addApiKey('operator'), { mode: 0o600 });
  const through = async (passing: Passing) => {
    const port = await listening(t, createServer(passingTo(service.url, passing)));
    const url = `http://127.0.0.1:${port}`;
    const words = ['--url', url, '--api-key-file', key];
    const { of } = await examine({ ...env, ...trusted }, ...words);
    return { url, faults: of('proxy', 'fault').join('\n'), of };
  };
  return { service, env, key, through };
}

const CLIENT = { 'x-forwarded-for': '10.1.2.3' };

test('headers that a proxy drops, or passes on unchecked, are found', async (t) => {
  const { through } = await behindProxy(t, { TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  const right = await through((headers) => ({ ...headers, ...CLIENT }));
  assert.equal(right.faults, '');
  assert.match(right.of('proxy', 'ok').join(), /as 10\.1\.2\.3, named by a trusted proxy, at http:\/\/127/);
  const unchecked = await through((headers) => ({ ...CLIENT, ...headers }));
  assert.match(unchecked.faults, /^a client can claim any address: .*replace that header/);
  const otherHost = await through((headers) => ({ ...headers, ...CLIENT, host: 'localhost' }));
  assert.match(otherHost.faults, /^the service sees the host localhost in place of 127\.0\.0\.1:\d+: /);
  const otherScheme = await through((headers) => ({ ...headers, ...CLIENT, 'x-forwarded-proto': 'https' }));
  assert.match(otherScheme.faults, /^the service sees https in place of http: .*X-Forwarded-Proto/);
  const itself = await through((headers) => ({ ...headers, 'x-forwarded-for': '127.0.0.1' }));
  assert.match(itself.of('proxy', 'skipped').join(), /run the doctor on a machine that is no trusted proxy/);
});

test('a host that is not served, a key that is not taken and a service that is not there are faults', async (t) => {
  const { through, env, key, service } = await behindProxy(t, {});
  const notServed = await through((headers) => ({ ...headers, host: 'inner' }));
  assert.match(notServed.faults, /does not serve the host that arrives .*\(421\)/);
  const { of } = await examine(env, '--url', service.url);
  assert.match(of('proxy', 'skipped').join(), /^the service answers: with --api-key-file/);
  writeFileSync(key, `tsk_${'A'.repeat(43)}`);
  const right: Passing = (headers) => headers;
  assert.match((await through(right)).faults, /does not take the API key \(401\)/);
  const gone = await examine(env, '--url', 'http://127.0.0.1:1');
  assert.match(gone.of('proxy', 'fault').join(), /^http:\/\/127\.0\.0\.1:1 cannot be asked: /);
});

test('a proxy that speaks TLS and is not trusted is found', async (t) => {
  const { env, key, service } = await behindProxy(t, {});
  const { ca, ...files } = certificateFiles(t);
  const tls = { key: readFileSync(files.key), cert: readFileSync(files.cert) };
  const port = await listening(
    t,
    createTlsServer(
      tls,
      passingTo(service.url, (headers) => ({ ...headers, ...CLIENT })),
    ),
  );
  const words = ['doctor', '--url', `https://127.0.0.1:${port}`, '--api-key-file', key];
  const { stdout } = await run('tessera', words, { env: { ...env, NODE_EXTRA_CA_CERTS: ca } });
  assert.match(stdout, /^fault {4}proxy .*speaks TLS is not trusted, .*\(127\.0\.0\.1\): name its address/m);
  assert.match(stdout, /^fault {4}proxy .*sees http in place of https/m);
  const unknown = await run('tessera', words, { env });
  assert.match(unknown.stdout, /^fault {4}proxy .*cannot be asked: .*certificate/m);
});

test('a clock that differs from that of the service is found, and no key goes out openly', async (t) => {
  const { env, key, service } = await behindProxy(t, {});
  const NODE_OPTIONS = '--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+60000';
  const { stdout } = await run('tessera', ['doctor', '--url', service.url], {
    env: { ...env, NODE_OPTIONS },
  });
  assert.match(stdout, /^warning {2}proxy .*this machine is (59|60|61) s ahead of that of the service: /m);
  const openly = await run('tessera', [
    'doctor',
    '--url',
    'http://tickets.example.org',
    '--api-key-file',
    key,
  ]);
  assert.deepEqual(
    [openly.stderr, openly.code],
    ['--url: plain HTTP would carry the API key openly: use https.\n', 2],
  );
});
