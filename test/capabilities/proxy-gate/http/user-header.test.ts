import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { SettingsFaulty } from '../../../../src/core/settings/read.ts';
import { readSettings } from '../../../../src/main/settings.ts';
import { assertSound, messageIn } from '../../../core/http/scenario.ts';
import { logIn } from '../../../service/talk.ts';
import { bearer, startAsked } from './asking.ts';

const NAMED = { TESSERA_GATE_USER_HEADER: 'X-Alfresco-Remote-User' };

/** The lines of the answer's head, each with one character for a byte. */
async function headOf(base: string, line: string, ticket: string, body = ''): Promise<string[]> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`;
  socket.end(
    `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${length}Authorization: Bearer ${ticket}\r\n\r\n${body}`,
  );
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return (Buffer.concat(chunks).toString('latin1').split('\r\n\r\n')[0] ?? '').split('\r\n');
}

test('the gate gives the name as it is, in UTF-8, under the header that is set, beside its own two', async (t) => {
  for (const answers of ['204', '200']) {
    const { service } = await startAsked(t, { ...NAMED, TESSERA_GATE_ANSWERS: answers });
    for (const name of ['mia', 'Jörg Müller', "o'neil (%41)*!", '漢😀', 'a,b;c="d"/\\é', 'YWRtaW4=']) {
      await service.addUser(name);
      const ticket = await logIn(service.url, name);
      // The plain reader answers the first one, and Node's parser the others.
      for (const [line, body] of [
        ['GET /gate', ''],
        ['PROPFIND /gate/page', ''],
        ['POST /gate/page', 'x=ö'],
      ] as const) {
        const head = await headOf(service.url, line, ticket, body);
        assert.match(head[0] ?? '', new RegExp(`^HTTP/1.1 ${answers} `), line);
        const given = head.filter((field) => /^x-alfresco-remote-user:/i.test(field));
        assert.deepEqual(given, [`X-Alfresco-Remote-User: ${Buffer.from(name).toString('latin1')}`], line);
        assert.equal(head.filter((field) => /^x-tessera-(user|ticket-expires):/i.test(field)).length, 2);
      }
    }
  }
});

test('without the setting the name is in no other header', async (t) => {
  const { ask, ticket } = await startAsked(t);
  const { headers } = await ask(bearer(ticket));
  const naming = Object.entries(headers).filter(([, value]) => value === 'mia');
  assert.deepEqual(naming, [['x-tessera-user', 'mia']]);
});

test('a name that would change in a header is 403 and in no header; without the setting it passes', async (t) => {
  const named = await startAsked(t, NAMED);
  const plain = await startAsked(t);
  for (const name of [' mia', 'mia ', '\u00a0mia', 'mia\u3000']) {
    for (const { service } of [named, plain]) await service.addUser(name);
    const heard = await named.ask(bearer(await logIn(named.service.url, name)));
    assert.equal(heard.status, 403, JSON.stringify(name));
    assertSound(heard);
    assert.match(messageIn(heard), /TESSERA_GATE_USER_HEADER.*begins or ends with white space/);
    assert.doesNotMatch(JSON.stringify(heard.headers), /mia/);
    const passed = await plain.ask(bearer(await logIn(plain.service.url, name)));
    assert.deepEqual([passed.status, passed.headers['x-tessera-user']], [204, encodeURIComponent(name)]);
  }
});

test('a dead ticket and a store that cannot answer name nobody', async (t) => {
  const { ask, ticket, service } = await startAsked(t, NAMED);
  const dead = await ask(bearer(`TICKET_${'0'.repeat(40)}`));
  assert.deepEqual([dead.status, dead.headers['x-alfresco-remote-user']], [401, undefined]);
  await service.store.close();
  const unanswered = await ask(bearer(ticket));
  assert.deepEqual([unanswered.status, unanswered.headers['x-alfresco-remote-user']], [503, undefined]);
});

test('a header that means something else, or is no name, is a fault of the settings that says what to write', () => {
  const faultOf = (header: string) => {
    try {
      readSettings({ flags: {}, env: { TESSERA_GATE_USER_HEADER: header } });
    } catch (error) {
      assert.ok(error instanceof SettingsFaulty);
      return error.faults.join();
    }
    return undefined;
  };
  for (const header of ['X-Alfresco-Remote-User', 'SsoUserHeader', 'SM_USER', 'remote-user', ''])
    assert.equal(faultOf(header), undefined, header);
  for (const header of [
    ...['Connection', 'KEEP-ALIVE', 'Transfer-Encoding', 'TE', 'Trailer', 'Upgrade', 'Proxy-Authorization'],
    ...['Content-Length', 'content-user', 'Host', 'Date', 'Set-Cookie', 'Authorization', 'WWW-Authenticate'],
    ...['X-Tessera-User', 'x_tessera_user', 'X-Tessera-Remote', 'X-Request-Id', 'X-Forwarded-For', 'Vary'],
  ])
    assert.match(
      faultOf(header) ?? '',
      /^TESSERA_GATE_USER_HEADER: ".*" already means something else: write a name of your own/,
      header,
    );
  for (const header of ['X Alfresco', 'X-Älf', 'X:User', 'X.User', '-User', '7User'])
    assert.match(faultOf(header) ?? '', /is no name of a header for a user: write letters/, header);
});
