import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Client } from '../../../../src/client/client.ts';
import type { EventKind } from '../../../../src/core/domain/event.ts';
import type { User } from '../../../../src/core/domain/user.ts';
import { userKey } from '../../../../src/core/domain/user.ts';
import { GROUPS, READER, READER_PASSWORD, type Slapd, USER_PASSWORD, USERS } from '../../../service/slapd.ts';
import { startTestService, type TestService, temporaryFolder } from '../../../service/start.ts';
import { ask, basic } from '../../../service/talk.ts';

/** A service with a directory, and what tests ask it. */
export interface DirectoryService extends TestService {
  /** The status of a login by POST. */
  logIn(name: string, password?: string): Promise<number>;
  /** A ticket; throws if the login is refused. */
  ticket(name: string, password?: string): Promise<string>;
  /** Whether a ticket is live. */
  isLive(ticket: string): Promise<boolean>;
  /** The status of a request with name and password. */
  byBasic(name: string, password?: string): Promise<number>;
  user(name: string): Promise<User | undefined>;
  /** The names of the user's groups. */
  groups(name: string): Promise<readonly string[]>;
  /** The reasons of events of this kind, the latest first. */
  reasons(kind: EventKind): Promise<readonly (string | undefined)[]>;
}

/** A relay to a server on this port. Calls `onSocket` for each connection, with the number of connections so far. */
export async function relayTo(
  t: TestContext,
  target: number,
  onSocket: (socket: Socket, connections: number) => void = () => undefined,
) {
  const sockets: Socket[] = [];
  const relay = createServer((socket) => {
    const onward = connect(target, '127.0.0.1');
    sockets.push(socket);
    onSocket(socket, sockets.length);
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) end.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
  return { port: (relay.address() as AddressInfo).port, sockets };
}

/** Starts a service whose directory is this slapd. */
export async function startWithDirectory(
  t: TestContext,
  slapd: Pick<Slapd, 'url'>,
  env: Record<string, string> = {},
): Promise<DirectoryService> {
  const file = join(await temporaryFolder(t), 'password');
  writeFileSync(file, `${READER_PASSWORD}\n`);
  const service = await startTestService(t, {
    TESSERA_LDAP_URLS: slapd.url,
    TESSERA_LDAP_BIND_DN: READER,
    TESSERA_LDAP_BIND_PASSWORD_FILE: file,
    TESSERA_LDAP_USER_BASE: USERS,
    TESSERA_LDAP_GROUP_BASE: GROUPS,
    TESSERA_LDAP_DEADLINE: 'PT10S',
    ...env,
  });
  const { url, store } = service;
  const user = (name: string) => store.read(({ users }) => users.findByKey(userKey(name)));
  const post = (username: string, password: string) =>
    ask(`${url}/alfresco/service/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
  return {
    ...service,
    logIn: async (name, password = USER_PASSWORD) => (await post(name, password)).status,
    ticket: async (username, password = USER_PASSWORD) =>
      (await new Client(url).login({ username, password })).ticket,
    async isLive(ticket) {
      const target = `${url}/alfresco/service/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
      return (await ask(target)).status === 200;
    },
    byBasic: async (name, password = USER_PASSWORD) =>
      (await ask(`${url}/alfresco/service/api/people/${name}`, { headers: basic(`${name}:${password}`) }))
        .status,
    user,
    async groups(name) {
      const { id = 0 } = (await user(name)) ?? {};
      return (await store.read((unit) => unit.groups.ofUser(id))).map((group) => group.name);
    },
    reasons: async (kind) =>
      (await store.read((unit) => unit.events.latest({ kind, limit: 100 }))).map(({ reason }) => reason),
  };
}
