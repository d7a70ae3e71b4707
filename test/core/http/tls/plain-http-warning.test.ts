import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificateFiles, tlsSettings } from '../../../service/certified.ts';
import { startTestService } from '../../../service/start.ts';

const EVERYWHERE = { TESSERA_HOST: '0.0.0.0' };

test('plain HTTP on an address other than loopback causes one warning, unless a proxy or TESSERA_INSECURE_HTTP explains it', async (t) => {
  const warned = async (env: Record<string, string>) => {
    const { lines } = await startTestService(t, env);
    return lines.map((line) => JSON.parse(line).msg as string).filter((msg) => msg.includes('plain HTTP'));
  };
  const [told = '', ...more] = await warned(EVERYWHERE);
  assert.deepEqual(more, []);
  assert.match(
    told,
    /^passwords and tickets cross the network openly, since http:\/\/0\.0\.0\.0:\d+ is plain HTTP .*TESSERA_TLS_CERT and TESSERA_TLS_KEY.*TESSERA_TRUSTED_PROXIES.*TESSERA_INSECURE_HTTP=true if this is meant$/,
  );
  assert.deepEqual(await warned({}), []);
  assert.deepEqual(await warned({ TESSERA_HOST: '127.0.0.2' }), []);
  assert.deepEqual(await warned({ ...EVERYWHERE, TESSERA_INSECURE_HTTP: 'true' }), []);
  assert.deepEqual(await warned({ ...EVERYWHERE, TESSERA_TRUSTED_PROXIES: '10.0.0.7' }), []);
  assert.deepEqual(await warned({ ...EVERYWHERE, ...tlsSettings(certificateFiles(t)) }), []);
});
