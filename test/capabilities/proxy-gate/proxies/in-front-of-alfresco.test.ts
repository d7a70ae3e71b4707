import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { converse } from '../../../core/http/connection.ts';
import { blocksIn, pageAt, serveAsPrinted } from '../../../docs/page.ts';
import { shell } from '../../../faces/cli/command.ts';
import { PASSWORD, temporaryFolder } from '../../../service/start.ts';
import { basic } from '../../../service/talk.ts';
import { until } from '../../../service/until.ts';
import { API, FRONTS, frontOf, MIA, startFront, TICKETS } from './front.ts';

const ME = `${API}/alfresco/versions/1/people/-me-`;

const bearer = (ticket: string) => ({ authorization: `Bearer ${ticket}` });

for (const front of FRONTS) {
  const { name, skip } = front;

  test(`${name}: a mobile app asks for the version, logs in, works with its ticket, and logs out`, {
    skip,
  }, async (t) => {
    const fronted = await startFront(t, front);
    const server = await fronted.ask('GET /alfresco/service/api/server');
    assert.deepEqual([server.status, JSON.parse(server.text).data.version], [200, '23.2.0']);
    await fronted.stopped(401, `GET ${ME}`);
    const ticket = await fronted.logIn();
    const asBasic = basic(ticket);
    await fronted.reaches(`GET ${ME}`, { headers: asBasic });
    const children = `${API}/alfresco/versions/1/nodes/-root-/children`;
    await fronted.reaches(`GET ${children}?skipCount=0&maxItems=25`, { headers: asBasic });
    await fronted.reaches(`POST ${children}`, { headers: asBasic, body: 'x'.repeat(2_000_000) });
    const content = `${API}/alfresco/versions/1/nodes/17/content?attachment=false`;
    await fronted.reaches(`GET ${content}&alf_ticket=${ticket}`, {}, `GET ${content}`);
    assert.equal((await fronted.ask(`GET ${TICKETS}/-me-`, { headers: asBasic })).status, 200);
    assert.equal((await fronted.ask(`DELETE ${TICKETS}/-me-`, { headers: asBasic })).status, 204);
    await fronted.stopped(401, `GET ${ME}`, { headers: asBasic });
    await fronted.stopped(401, `GET ${content}&alf_ticket=${ticket}`);
  });

  test(`${name}: a CMIS client works with a ticket in Basic or in the URL; a name and a password are 401, and count nowhere`, {
    skip,
  }, async (t) => {
    const fronted = await startFront(t, front);
    const ticket = await fronted.logIn();
    const atom = `${API}/cmis/versions/1.1/atom`;
    const asTicket = { headers: basic(`ROLE_TICKET:${ticket}`) };
    await fronted.reaches(`GET ${atom}`, asTicket);
    await fronted.reaches(`GET ${atom}/-default-/path?path=%2FSites%2Fa%20b&filter=cmis%3Aname`, asTicket);
    const browser = `${API}/cmis/versions/1.1/browser/root`;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const created = 'cmisaction=createFolder&propertyId[0]=cmis%3Aname&propertyValue[0]=a';
    await fronted.reaches(`POST ${browser}?succinct=true`, {
      headers: { ...asTicket.headers, ...type },
      body: created,
    });
    await fronted.reaches(
      `GET ${browser}?alf_ticket=${ticket}&cmisselector=object`,
      {},
      `GET ${browser}?cmisselector=object`,
    );
    const { headers } = await fronted.stopped(401, `GET ${atom}`, { headers: basic(`${MIA}:${PASSWORD}`) });
    assert.equal(headers['www-authenticate'], 'Basic realm="Tessera"');
    for (let time = 0; time < 6; time += 1)
      await fronted.stopped(401, `GET ${atom}`, { headers: basic(`${MIA}:wrong`) });
    assert.equal((await fronted.ask(`GET ${atom}`, asTicket)).status, 200);
    await fronted.service.store.write(async ({ users }) => {
      const mia = await users.findByKey(MIA.toLowerCase());
      await users.change(mia?.id as number, { lockedUntil: Date.now() + 60_000 });
    });
    await fronted.stopped(401, `GET ${atom}`, asTicket);
  });

  test(`${name}: WebDAV methods and uploads of unknown length reach the repository as they are`, {
    skip,
  }, async (t) => {
    const fronted = await startFront(t, front);
    const headers = bearer(await fronted.logIn());
    const destination = 'http://127.0.0.1/alfresco/webdav/b%20c';
    for (const method of ['PROPFIND', 'MKCOL', 'LOCK', 'OPTIONS', 'PATCH', 'DELETE'])
      await fronted.reaches(`${method} /alfresco/webdav/a%20b`, { headers });
    await fronted.reaches('MOVE /alfresco/webdav/a', { headers: { ...headers, destination } });
    assert.ok(fronted.asked.at(-1)?.head.includes(destination));
    await fronted.reaches('PUT /alfresco/webdav/a', {
      headers: { ...headers, 'transfer-encoding': 'chunked' },
      body: 'ü'.repeat(1_000_000),
    });
    const awaited = { ...headers, expect: '100-continue' };
    await fronted.reaches('PUT /alfresco/webdav/a', { headers: awaited, body: 'x'.repeat(10_000) });
    await fronted.stopped(401, 'PUT /alfresco/webdav/a', { body: 'x' });
  });

  test(`${name}: Share logs in, calls web scripts with alf_ticket, validates its ticket, and logs out`, {
    skip,
  }, async (t) => {
    const fronted = await startFront(t, front);
    const body = JSON.stringify({ username: MIA, password: PASSWORD });
    const loggedIn = await fronted.ask('POST /alfresco/s/api/login', { body });
    const { ticket } = JSON.parse(loggedIn.text).data;
    for (const [line, query] of [
      ['GET /alfresco/s/webframework/content/metadata', 'user=Mia%20M%C3%BCller'],
      ['GET /alfresco/wcs/api/people/Mia%20M%C3%BCller', 'groups=true'],
      ['POST /alfresco/wcservice/slingshot/doclib/action/folder', 'x=%26&y'],
      ['GET /alfresco/service/api/loginpage', 'my_alf_ticket=1'],
    ] as const) {
      const sent = line.startsWith('POST') ? { body: '{"a":1}' } : {};
      await fronted.reaches(`${line}?${query}&alf_ticket=${ticket}`, sent, `${line}?${query}`);
      await fronted.reaches(`${line}?alf_ticket=${ticket}&${query}`, sent, `${line}?${query}`);
      await fronted.reaches(`${line}?alf_ticket=${ticket}`, sent, line);
      await fronted.stopped(401, `${line}?${query}`, sent);
    }
    const own = `/alfresco/s/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
    assert.match((await fronted.ask(`GET ${own}`)).text, new RegExp(ticket));
    assert.equal((await fronted.ask(`DELETE ${own}`)).status, 200);
    await fronted.stopped(404, `GET ${own.replace(/\?.*/, '')}`, { headers: basic(`${MIA}:${PASSWORD}`) });
    await fronted.stopped(401, `GET /alfresco/s/api/people?alf_ticket=${ticket}`);
  });

  test(`${name}: a user changes the password that Tessera checks, and the repository hears nothing of it`, {
    skip,
  }, async (t) => {
    const fronted = await startFront(t, front);
    const path = '/alfresco/s/api/person/changepassword/Mia%20M%C3%BCller';
    const body = JSON.stringify({ oldpw: PASSWORD, newpw: 'a wide silent valley' });
    await fronted.stopped(401, `POST ${path}`, { body });
    const headers = bearer(await fronted.logIn());
    const changed = await fronted.stopped(200, `POST ${path}`, { headers, body });
    assert.equal(JSON.parse(changed.text).success, true);
    await fronted.logIn(MIA, 'a wide silent valley');
  });

  test(`${name}: a client that names a user itself gets through as nobody, and with its ticket as itself`, {
    skip,
  }, async (t) => {
    const fronted = await startFront(t, front);
    const signs = ['-', ..."!#$%&'*+.^_`|~"];
    const spelled = ['X-Alfresco-Remote-User', 'x-alfresco-remote-user', 'X-ALFRESCO-REMOTE-USER'];
    const forged = [
      ...spelled.flatMap((header) => signs.map((sign) => `${header.replaceAll('-', sign)}: admin`)),
      ...['X_Alfresco-Remote-User: admin', 'X-Alfresco-Remote_User: admin', 'X-Alfresco-Remote-User : admin'],
      ...signs.map((sign) => `${'Remote-User-Encode'.replaceAll('-', sign)}: true`),
      'Connection: X-Alfresco-Remote-User, Remote-User-Encode',
    ];
    const sets = [...forged.map((field) => [field]), forged.filter((field) => !/User :/.test(field))];
    const who = await fronted.logIn();
    for (const fields of sets) {
      for (const [credential, arriving] of [
        ['', []],
        [`Authorization: Bearer ${who}\r\n`, [MIA]],
      ] as const) {
        fronted.asked.length = 0;
        const head = `Host: 127.0.0.1\r\nConnection: close\r\n${credential}${fields.join('\r\n')}`;
        await converse(fronted.url, `HEAD ${ME} HTTP/1.1\r\n${head}\r\n\r\n`).catch(() => undefined);
        const users = fronted.asked.map(({ user }) => user);
        // A malformed field may have the whole request refused.
        if (users.length > 0 || !/User :/.test(fields[0] ?? '')) assert.deepEqual(users, arriving, head);
        assert.doesNotMatch(JSON.stringify(fronted.asked), /admin/);
      }
    }
  });

  test(`${name}: a name arrives as it is; one that base64 would read as another’s does too, and System gets nobody’s rights`, {
    skip,
  }, async (t) => {
    const fronted = await startFront(t, front);
    const encode = { 'remote-user-encode': 'true' };
    // The second one is admin in base64.
    for (const user of ['漢😀 o’Neil', 'YWRtaW4=', 'a,b;c="d"', 'mia@example.org']) {
      await fronted.service.addUser(user);
      assert.equal(
        (await fronted.ask(`GET ${ME}`, { headers: { ...bearer(await fronted.logIn(user)), ...encode } }))
          .status,
        200,
      );
      assert.equal(fronted.asked.at(-1)?.user, user);
    }
    for (const user of [' admin', 'admin\u00a0']) {
      await fronted.service.addUser(user);
      await fronted.stopped(403, `GET ${ME}`, { headers: bearer(await fronted.logIn(user)) });
    }
    for (const user of ['System', 'System@example.org']) {
      await fronted.service.addUser(user);
      assert.equal(
        (await fronted.ask(`GET ${ME}`, { headers: bearer(await fronted.logIn(user)) })).status,
        401,
      );
      assert.equal(fronted.asked.at(-1)?.user, undefined);
    }
  });

  test(`${name}: a URL that would take a ticket to the repository is refused, and all other URLs arrive as they are`, {
    skip,
  }, async (t) => {
    const fronted = await startFront(t, front);
    const ticket = await fronted.logIn();
    for (const query of [
      `alf_ticket=${ticket}&alf_ticket=${ticket}`,
      `alf_ticket=TICKET_&a=1&alf_ticket=${ticket}`,
      `alf%5Fticket=${ticket}`,
      `a=1&%61lf_ticket=${ticket}`,
      `alf_ticket=${ticket}&alf_tic%6bet=${ticket}`,
    ])
      await fronted.stopped(400, `GET /alfresco/page?${query}`, { headers: bearer(ticket) });
    for (const target of [
      '/alfresco/a%2Fb/c%20d?x=%61%5F&y=alf_ticket&a[0]=1',
      '/alfresco/s/api/login%3Bx?u=a',
      '/alfresco/page?x={env.HOME}&$request_uri',
      '/share/page',
      '/',
    ])
      await fronted.reaches(`GET ${target}`, { headers: bearer(ticket) });
    await fronted.stopped(401, `GET /alfresco/page`, {
      headers: { 'x-forwarded-uri': `/?alf_ticket=${ticket}` },
    });
  });

  test(`${name}: the ticket in the cookies of a browser stays here, and the repository gets its other cookies`, {
    skip,
  }, async (t) => {
    const fronted = await startFront(t, front);
    const ticket = await fronted.logIn();
    for (const [sent, arriving] of [
      [`JSESSIONID=1; tessera=${ticket}; b=2`, ['JSESSIONID=1', 'b=2']],
      [`__Secure-tessera=${ticket}; not-tessera=2`, ['not-tessera=2']],
    ] as const) {
      await fronted.reaches(`GET ${ME}`, { headers: { ...bearer(ticket), cookie: sent } });
      const head = fronted.asked.at(-1)?.head ?? [];
      const cookies = head[head.findIndex((field) => field.toLowerCase() === 'cookie') + 1];
      assert.deepEqual(cookies?.split('; ').filter(Boolean), arriving);
    }
    const twice = { ...bearer(ticket), cookie: `a=1; tessera=${ticket}; tessera=${ticket}` };
    await fronted.reaches(`GET ${ME}`, { headers: twice });
  });

  test(`${name}: nobody gets through while Tessera cannot answer, nor while it is down`, {
    skip,
  }, async (t) => {
    const fronted = await startFront(t, front);
    const [store, down, login] = front.whenUnanswered;
    const sent = { headers: { ...bearer(await fronted.logIn()), 'x-alfresco-remote-user': 'admin' } };
    await fronted.reaches(`GET ${ME}`, sent);
    await fronted.service.store.close();
    await fronted.stopped(store, `GET ${ME}`, sent);
    await fronted.service.stop();
    await fronted.stopped(down, `GET ${ME}`, sent);
    await fronted.stopped(down, `GET ${ME}`, { headers: { 'x-alfresco-remote-user': 'admin' } });
    await fronted.stopped(login, `POST ${TICKETS}`, { body: '{}' });
  });

  test(`${name}: its log holds no ticket and no password`, { skip }, async (t) => {
    const fronted = await startFront(t, front);
    const ticket = await fronted.logIn();
    await fronted.ask(`GET /alfresco/s/api/login?u=admin&pw=${PASSWORD}`);
    await fronted.ask(`GET /alfresco/s/api/people?alf_ticket=${ticket}`);
    await fronted.service.stop();
    const line = `GET /alfresco/s/api/login?u=admin&pw=${PASSWORD}&alf_ticket=${ticket}`;
    await fronted.stopped(front.whenUnanswered[2], line, { headers: bearer(ticket) });
    await until('the failure is logged', async () => /50\d|refused/.test(fronted.log));
    assert.doesNotMatch(fronted.log, new RegExp(`TICKET_|${PASSWORD}`));
  });

  test(`${name}: the server and the commands of the page show the caller, whoever it claims to be, and let in nobody else`, {
    skip,
  }, async (t) => {
    const [server = '', commands = ''] = blocksIn(pageAt('how-to/in-front-of-alfresco.md'), 'sh');
    const folder = await temporaryFolder(t);
    const tessera = await serveAsPrinted(t, server, folder);
    const adding = 'tessera users add alice --password-stdin';
    const added = await shell(adding, {
      stdin: 'a long quiet river',
      env: { TESSERA_DATA: join(folder, 'data') },
    });
    assert.equal(added.code, 0, added.stderr);
    const { url } = await frontOf(t, front, new URL(tessera).host);
    const { code, stdout } = await shell(`set -e\n${commands.replace('http://127.0.0.1:8000', url)}`);
    const alice = '{"entry":{"id":"alice"}}';
    assert.deepEqual([code, stdout], [0, `${alice}\n${alice}\n401\n`]);
  });
}
