import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { partitionOfDigest } from '../../../src/engines/redis/partitions.ts';
import { aDigest } from '../../core/storage/conformance/samples.ts';
import { freePort } from '../../service/free-port.ts';
import { Redis, whyNoRedis } from '../../service/redis.ts';
import { temporaryFolder } from '../../service/start.ts';
import { withoutChecksByDefault } from '../../service/unchecked-tls.ts';
import { until } from '../../service/until.ts';
import { openUntilEnd, PATIENT } from './opened.ts';

const skip = whyNoRedis() ?? false;

/** A key and a self-signed certificate for the name `localhost` alone. */
async function certify(t: TestContext): Promise<{ key: string; certificate: string }> {
  const folder = await temporaryFolder(t);
  const [key, certificate] = [join(folder, 'server.key'), join(folder, 'server.crt')];
  const words =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
  const names = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate];
  execFileSync('openssl', [...words.split(' '), ...names], { stdio: 'pipe' });
  return { key, certificate };
}

/** Two nodes with TLS that know each other, by the host name that they announce. */
async function startTwo(
  t: TestContext,
  { key, certificate }: { key: string; certificate: string },
  announced = 'localhost',
) {
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
  const asCluster = ['--cluster-enabled', 'yes', '--tls-cluster', 'yes', '--tls-auth-clients', 'no'];
  const start = async () => {
    const port = await freePort();
    const named = ['--tls-port', String(port), '--cluster-announce-hostname', announced];
    const node = await Redis.start(...named, ...asCluster, ...files);
    t.after(() => node.remove());
    return { node, port };
  };
  const [first, second] = [await start(), await start()];
  await first.node.ask(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
  const other = ['127.0.0.1', String(second.port), String(second.node.busPort)];
  await first.node.ask(['CLUSTER', 'MEET', ...other]);
  for (const { node } of [first, second])
    await until('a node knows the other by its name', async () => {
      const known = (await node.ask(['CLUSTER', 'NODES'])).trim().split('\n');
      const isUp = /cluster_state:ok/.test(await node.ask(['CLUSTER', 'INFO']));
      return isUp && known.length === 2 && known.every((line) => line.includes(announced));
    });
  return [first, second] as const;
}

test('with TLS a key that has moved is asked for by the name in the certificate, not the IP address', {
  skip,
}, async (t) => {
  const files = await certify(t);
  const [giver, taker] = await startTwo(t, files);
  const url = `rediss://localhost:${giver.port}?cacert=${files.certificate}`;
  const store = await openUntilEnd(t, url, { options: { ...PATIENT, replicas: 0 } });
  const digest = aDigest(1);
  const slot = String(partitionOfDigest(digest).slot);
  await taker.node.ask(['CLUSTER', 'SETSLOT', slot, 'IMPORTING', await giver.node.ask(['CLUSTER', 'MYID'])]);
  await giver.node.ask(['CLUSTER', 'SETSLOT', slot, 'MIGRATING', await taker.node.ask(['CLUSTER', 'MYID'])]);
  assert.equal(await store.read((unit) => unit.tickets.find(digest)), undefined);
});

test('a start with TLS on one side alone says what to write, and one that cannot trust the other what to name', {
  skip,
}, async (t) => {
  const [{ node, port }] = await startTwo(t, await certify(t));
  const plain = await Redis.start();
  t.after(() => plain.remove());
  const mends: [url: string, mend: RegExp][] = [
    [plain.url.replace('redis:', 'rediss:'), /does it speak TLS\? Write redis:\/\//],
    [`redis://localhost:${port}`, /does it speak TLS\? Write rediss:\/\//],
    [`rediss://localhost:${port}`, /its certificate is not trusted .*cacert/],
  ];
  for (const [url, mend] of mends) await assert.rejects(openUntilEnd(t, url, { options: {} }), mend);
  assert.equal(await node.ask(['PING']), 'PONG');
});

test('a start on a cluster whose nodes announce no name, which their certificates are for, says what is to be set', {
  skip,
}, async (t) => {
  const files = await certify(t);
  const [{ port }] = await startTwo(t, files, '');
  const url = `rediss://localhost:${port}?cacert=${files.certificate}`;
  await assert.rejects(openUntilEnd(t, url, { options: {} }), /127\.0\.0\.1.*cluster-announce-hostname/);
});

test('no environment variable makes an unknown certificate trusted', { skip }, async (t) => {
  const [{ port }] = await startTwo(t, await certify(t));
  await withoutChecksByDefault(async () => {
    const opening = openUntilEnd(t, `rediss://localhost:${port}`, { options: {} });
    await assert.rejects(opening, /its certificate is not trusted/);
  });
});
