import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemory } from '../../engines/memory/open.ts';
import { onlyElement, textOf } from '../../faces/pages/markup.ts';
import { startTestService } from '../../service/start.ts';
import { latestKinds, signedInAs, textOf as textAt } from '../admin/pages/console-service.ts';
import { mailSettings, refusal, startMailServer } from './mail-server.ts';

const PAGE = '/portal/console/mail';

test('the console shows mail that waits, sends it again, and tells the answer to a test mail', async (t) => {
  const refuses = (to: string) => (to.startsWith('no') ? refusal(550, 'no such <mailbox>') : undefined);
  const server = await startMailServer(t, { refuses });
  const service = await startTestService(t, mailSettings(server), openMemory);
  const admin = await signedInAs(service, 'administrator');
  service.stopClock();
  const side = onlyElement(await textAt(admin, PAGE), 'nav', { class: 'side' });
  assert.match(textOf(side), /Mail/);
  const sent = await admin.send(PAGE, `${PAGE}/test`, { to: 'you@example.org' });
  assert.match(await sent.text(), /took the mail to you@example.org/);
  assert.equal(server.mails[0]?.to[0], 'you@example.org');
  const refused = await admin.send(PAGE, `${PAGE}/test`, { to: 'nobody@example.org' });
  assert.match(await refused.text(), /no such &lt;mailbox&gt;.*value="nobody@example.org"/s);
  assert.deepEqual((await latestKinds(service)).slice(0, 2), ['mail-failed', 'mail-sent']);
  const wrong = await admin.send(PAGE, `${PAGE}/test`, { to: 'nobody' });
  assert.equal(wrong.status, 422);
  assert.equal((await admin.send(PAGE, `${PAGE}/retry`)).headers.get('location'), `${PAGE}?done=retry`);
  const operator = await signedInAs(service, 'operator');
  assert.ok(!(await textAt(operator, PAGE)).includes(`${PAGE}/test`));
  assert.equal((await operator.send(PAGE, `${PAGE}/retry`)).status, 403);
});

test('without a mail server the page says how to name one, and offers nothing', async (t) => {
  const service = await startTestService(t, {}, openMemory);
  const text = await textAt(await signedInAs(service, 'administrator'), PAGE);
  assert.match(text, /TESSERA_SMTP_URL/);
  assert.ok(!text.includes(`${PAGE}/test`));
});
