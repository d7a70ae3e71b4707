import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../service/start.ts';

test('a start warns once of proxies that are trusted on every address', async (t) => {
  const warned = async (proxies: string) => {
    const { lines } = await startTestService(t, { TESSERA_TRUSTED_PROXIES: proxies });
    return lines
      .map((line) => JSON.parse(line).msg as string)
      .filter((msg) => msg.startsWith('TESSERA_TRUSTED_PROXIES'));
  };
  assert.deepEqual(await warned('10.0.0.7,10.0.0.0/8'), []);
  assert.deepEqual(await warned('10.0.0.7,0.0.0.0/0'), [
    'TESSERA_TRUSTED_PROXIES: 0.0.0.0/0 trusts every address, so each client can claim any address, and no limit for an address holds: name the addresses of your own proxies only',
  ]);
});
