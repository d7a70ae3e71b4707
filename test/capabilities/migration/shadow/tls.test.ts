import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryBy } from '../../../core/identity/on-the-wire/trying.ts';
import { certified } from '../../../service/certified.ts';
import { startTestService } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';
import { withoutChecksByDefault } from '../../../service/unchecked-tls.ts';
import { differences } from './in-the-shadow.ts';
import { OldServer } from './old-server.ts';

test('an old server with a certificate of the given authority is trusted', async (t) => {
  const { ca, ...tls } = certified(t);
  const old = await new OldServer().start(t, tls);
  old.users.set('ann', { password: 'old password' });
  const { url } = await startTestService(t, { TESSERA_SHADOW: old.url, TESSERA_SHADOW_CA: ca });
  await logIn(url, 'ann', 'old password');
});

test('an old server with an untrusted certificate, or one for another name, gets no password', async (t) => {
  const elsewhere = certified(t, 'DNS:elsewhere.example.org');
  const right = certified(t);
  for (const [tls, ca] of [
    [right, ''],
    [right, elsewhere.ca],
    [elsewhere, elsewhere.ca],
  ] as const) {
    const old = await new OldServer().start(t, tls);
    old.users.set('ann', { password: 'old password' });
    const service = await startTestService(t, {
      TESSERA_SHADOW: old.url,
      ...(ca && { TESSERA_SHADOW_CA: ca }),
    });
    await withoutChecksByDefault(async () => {
      assert.equal((await tryBy('post', service.url, 'ann', 'old password')).status, 503);
    });
    assert.deepEqual(old.logins, []);
    assert.match(differences(service)[0]?.came ?? '', /certificate|altnames|self-signed/i);
  }
});
