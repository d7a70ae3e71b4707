import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemory } from '../../engines/memory/open.ts';
import { elementsNamed, onlyElement, textOf } from '../../faces/pages/markup.ts';
import { startTestService } from '../../service/start.ts';
import { latestKinds, signedInAs, textOf as textAt } from '../admin/pages/console-service.ts';
import { SECRET, webhooksDocument } from './receiver.ts';

const PAGE = '/portal/console/webhooks';
const AT = Date.UTC(2026, 0, 31);

test('the console shows why a receiver is behind, and administrators resume it and send again', async (t) => {
  const receivers = [
    { id: 'gone', url: 'https://gone.example.org', secrets: [SECRET], kinds: ['lock'] },
    { id: 'siem', url: 'https://siem.example.org', secrets: [SECRET], kinds: ['unlock'] },
  ];
  const TESSERA_WEBHOOKS = await webhooksDocument(t, ...receivers);
  const service = await startTestService(t, { TESSERA_WEBHOOKS }, openMemory);
  const operator = await signedInAs(service, 'operator');
  const admin = await signedInAs(service, 'administrator');
  service.stopClock();
  await service.store.write(async ({ webhooks }) => {
    await webhooks.noteDelivered('gone', AT);
    await webhooks.noteFault('gone', AT, 'answered 410');
    await webhooks.noteGone('gone', AT);
  });
  const text = await textAt(operator, PAGE);
  const [gone, siem] = elementsNamed(text, 'tr').slice(1).map(textOf);
  assert.match(gone ?? '', /^gone.*1 kind.*Jan 31, 2026, 12:00.AM UTC.*answered 410/s);
  assert.match(siem ?? '', /^siem.*Delivers/s);
  assert.ok(!text.includes('resume'));
  assert.equal((await operator.send(PAGE, `${PAGE}/gone/resume`)).status, 403);
  assert.match(textOf(onlyElement(text, 'nav', { class: 'side' })), /Webhooks/);
  const resumed = await admin.send(PAGE, `${PAGE}/gone/resume`);
  assert.equal(resumed.headers.get('location'), `${PAGE}?done=resume`);
  const [{ goneAt } = assert.fail()] = await service.store.read(({ webhooks }) => webhooks.list());
  assert.equal(goneAt, undefined);
  assert.match(await textAt(admin, `${PAGE}?done=resume`), /--since/);
  assert.equal((await admin.send(PAGE, `${PAGE}/siem/replay`)).status, 303);
  assert.equal((await latestKinds(service))[0], 'webhooks-retried');
  assert.equal((await admin.send(PAGE, `${PAGE}/other/replay`)).status, 404);
  assert.equal((await (await signedInAs(service, 'auditor')).get(PAGE)).status, 403);
});

test('without webhooks the navigation lacks the page, which says how to have some', async (t) => {
  const service = await startTestService(t, {}, openMemory);
  const text = await textAt(await signedInAs(service, 'administrator'), PAGE);
  assert.doesNotMatch(textOf(onlyElement(text, 'nav', { class: 'side' })), /Webhooks/);
  assert.match(text, /TESSERA_WEBHOOKS/);
});
