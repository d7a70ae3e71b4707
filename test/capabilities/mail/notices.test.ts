import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemory } from '../../engines/memory/open.ts';
import { Visitor } from '../../faces/pages/browse.ts';
import { logIn } from '../../service/talk.ts';
import { until } from '../../service/until.ts';
import { registerApp } from '../factors/pages/second-factor-browse.ts';
import { addPerson, withMail } from './people.ts';

test('people hear by mail of a new second factor, of a recovery code that was used, and of a lock-out', async (t) => {
  const brand = {
    TESSERA_BRAND_NAME: 'Example & Sons',
    TESSERA_BRAND_HELP_URL: 'https://www.example.org/help',
  };
  const { server, service } = await withMail(
    t,
    { TESSERA_LOCKOUT_THRESHOLD: '5', TESSERA_THROTTLE_AFTER: '0', ...brand },
    openMemory,
  );
  await addPerson(service, 'anna', 'anna@example.org');
  const heard = (subject: string) =>
    until(subject, () => server.mails.some(({ parsed }) => parsed.subject === subject));
  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  const { codes } = await registerApp(visitor, Date.now());
  await heard('Your second factor was changed');
  const other = new Visitor(service);
  await other.signIn('anna');
  await other.post('/portal/second-factor', { code: codes[0] ?? '' });
  await heard('A recovery code was used');
  for (let n = 1; n <= 5; n += 1) await assert.rejects(logIn(service.url, 'anna', 'wrong'));
  await heard('Your account is locked');
  assert.ok(server.mails.every(({ to }) => to[0] === 'anna@example.org'));
  // The name and the links of the operator stand in each, as text and as HTML.
  for (const { text, parsed } of server.mails) {
    assert.match(text, /Your account anna at Example & Sons|your account anna at Example & Sons/);
    assert.match(text, /\n\nHelp: https:\/\/www\.example\.org\/help\n$/);
    assert.match(String(parsed.html), /Example &amp; Sons/);
  }
});
