import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAIL_RECEIVER } from '../../../src/capabilities/mail/tables/receiver.ts';
import { freePort } from '../../service/free-port.ts';
import { openSqlite } from '../../service/stores.ts';
import { examine, wellSetUp } from '../../tools/doctor/examined.ts';
import { mailSettings, startMailServer } from './mail-server.ts';

test('the doctor finds a mail server that takes no mail, and mails that were given up', async (t) => {
  const { env, data } = await wellSetUp(t);
  assert.deepEqual((await examine(env)).of('mail', 'skipped'), ['no mail server is set']);
  const mail = mailSettings(await startMailServer(t));
  const well = await examine({ ...env, ...mail });
  assert.deepEqual(well.of('mail', 'ok'), ['the mail server takes mail, and none was given up']);
  const store = openSqlite(data);
  await store.write(async ({ webhooks, events }) => {
    await webhooks.setReceivers([{ id: MAIL_RECEIVER, kinds: ['password-changed'] }]);
    await events.append({ at: 1, kind: 'password-changed', user: 'admin' });
    for (const taken of await webhooks.take(MAIL_RECEIVER, 2, 3, 1)) await webhooks.giveUp(taken, 2);
    await webhooks.noteFault(MAIL_RECEIVER, 2, 'the mailbox is full');
  });
  await store.close();
  const silent = `smtp://127.0.0.1:${await freePort()}`;
  const { of } = await examine({ ...env, ...mail, TESSERA_SMTP_URL: silent });
  assert.match(
    of('mail', 'fault').join(),
    /^the mail server does not take mail: .*ECONNREFUSED.*: check that the server runs, and the port/,
  );
  assert.deepEqual(of('mail', 'warning'), [
    "1 mails were given up (the mailbox is full): mend that, and run 'tessera mail retry'",
  ]);
});
