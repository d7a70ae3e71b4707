import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { StoreUnavailable } from '../../src/core/storage/store.ts';
import { targetOf as postgresTarget } from '../../src/engines/postgres/target.ts';
import { targetOf as redisTarget } from '../../src/engines/redis/target.ts';
import { temporaryFolder } from '../service/start.ts';

test('a file that is to hold certificates and holds none is refused as such, in place of blaming the server', async (t) => {
  const file = join(await temporaryFolder(t), 'ca.pem');
  for (const text of ['', 'no PEM', '-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n']) {
    writeFileSync(file, text);
    for (const name of ['sslrootcert', 'sslcert'])
      assert.throws(
        () => postgresTarget(`postgres://a@db.example.org/tessera?${name}=${file}`),
        (error) =>
          error instanceof StoreUnavailable &&
          error.message.includes(`${name}: the file ${file} holds no certificate`),
      );
    for (const name of ['cacert', 'cert'])
      assert.throws(
        () => redisTarget(`rediss://redis.example.org?${name}=${file}`),
        (error) =>
          error instanceof StoreUnavailable &&
          error.message.includes(`${name}: the file ${file} holds no certificate`),
      );
  }
});
