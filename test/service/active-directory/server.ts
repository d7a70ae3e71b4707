import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { BerReader, ProtocolOperation } from 'ldapts';
import { afterwards } from '../afterwards.ts';
import type { ServerCertificate } from '../certified.ts';
import { doneMessage, type Outcome, RESULT } from './answers.ts';
import { type Attributes, DirectoryEntries, type DirectoryEntry, DOMAIN, fileTime } from './entries.ts';
import { answerSearch } from './search.ts';

/** How the directory is started. */
export interface ActiveDirectoryOptions {
  /** Listens by ldaps with this certificate. Without it the directory has no TLS at all, as a new domain controller. */
  readonly certificate?: ServerCertificate;
  /** Refuses passwords over plain connections, as domain controllers since Windows Server 2025 do. */
  readonly requiresSigning?: boolean;
}

/** A directory that answers as Active Directory does. */
export class ActiveDirectory {
  readonly entries = new DirectoryEntries();
  /** The names of all binds that had a password, in their order. */
  readonly binds: string[] = [];
  /** Who wrote passwords, and how, in their order. */
  readonly passwordWrites: string[] = [];
  /** Who may write the passwords of others without the old ones. */
  readonly mayReset = new Set<DirectoryEntry>();
  /** The least length of a password, as the domain has it. */
  leastLength = 7;
  readonly #server: Server;
  readonly #scheme: string;
  readonly #sockets = new Set<Socket>();

  constructor({ certificate, requiresSigning = false }: ActiveDirectoryOptions) {
    const plain = certificate === undefined;
    const serve = (socket: Socket) => this.#serve(socket, plain && requiresSigning);
    this.#scheme = plain ? 'ldap' : 'ldaps';
    this.#server = plain ? createServer(serve) : createTlsServer({ ...certificate }, serve);
    // A client that does not trust the certificate ends the handshake.
    this.#server.on('tlsClientError', () => {});
  }

  /** Listens on this port of the loopback address; 0 for any. */
  async listen(port = 0): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Stops listening and ends all connections. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Adds a user, with the attributes that a new user of a domain has. */
  user(name: string, password: string, attributes: Attributes = {}): DirectoryEntry {
    const entry = this.entries.add(`CN=${name},CN=Users,${DOMAIN}`, {
      objectClass: ['top', 'person', 'organizationalPerson', 'user'],
      objectCategory: [`CN=Person,CN=Schema,CN=Configuration,${DOMAIN}`],
      cn: [name],
      sAMAccountName: [name],
      userPrincipalName: [`${name}@example.com`],
      userAccountControl: ['512'],
      accountExpires: ['9223372036854775807'],
      pwdLastSet: [fileTime(Date.now())],
      lockoutTime: ['0'],
      ...attributes,
    });
    entry.password = password;
    return entry;
  }

  /** Adds a global security group with these members. */
  group(name: string, members: readonly DirectoryEntry[]): DirectoryEntry {
    return this.entries.add(`CN=${name},OU=Groups,${DOMAIN}`, {
      objectClass: ['top', 'group'],
      cn: [name],
      sAMAccountName: [name],
      groupType: ['-2147483646'],
      member: members.map(({ dn }) => dn),
    });
  }

  #serve(socket: Socket, refusesPasswords: boolean): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let boundAs: DirectoryEntry | undefined;
    let rest = Buffer.alloc(0);
    const answer = (reader: BerReader) => {
      const id = reader.readInt() ?? 0;
      const operation = reader.readSequence();
      if (operation === ProtocolOperation.LDAP_REQ_BIND) {
        const { outcome, user } = this.#bind(reader, refusesPasswords);
        boundAs = user;
        socket.write(doneMessage(id, ProtocolOperation.LDAP_RES_BIND, outcome));
      } else if (operation === ProtocolOperation.LDAP_REQ_SEARCH)
        socket.write(Buffer.concat([...answerSearch(this.entries, id, reader, boundAs !== undefined)]));
      else if (operation === ProtocolOperation.LDAP_REQ_MODIFY)
        socket.write(doneMessage(id, ProtocolOperation.LDAP_RES_MODIFY, this.#modify(reader, boundAs)));
      else if (operation === ProtocolOperation.LDAP_REQ_EXTENSION)
        socket.write(doneMessage(id, ProtocolOperation.LDAP_RES_EXTENSION, NO_TLS));
      else if (operation !== ProtocolOperation.LDAP_REQ_ABANDON) socket.end();
    };
    socket.on('data', (data: Buffer) => {
      rest = Buffer.concat([rest, data]);
      for (let size = messageSize(rest); size > 0; size = messageSize(rest)) {
        const reader = new BerReader(rest.subarray(0, size));
        rest = rest.subarray(size);
        reader.readSequence();
        answer(reader);
      }
    });
  }

  #bind(
    reader: BerReader,
    refusesPasswords: boolean,
  ): { readonly outcome: Outcome; readonly user: DirectoryEntry | undefined } {
    reader.readInt();
    const name = reader.readString() ?? '';
    const password = reader.readString(0x80) ?? '';
    // A bind without a password succeeds, as RFC 4513 (5.1.2) has it, but proves nothing.
    if (password === '') return { outcome: { code: RESULT.success }, user: undefined };
    this.binds.push(name);
    if (refusesPasswords) return { outcome: UNSIGNED, user: undefined };
    const user = this.entries.named(name);
    const refused = user === undefined ? '52e' : user.refusal(password);
    return refused === undefined
      ? { outcome: { code: RESULT.success }, user }
      : { outcome: refusedBind(refused), user: undefined };
  }

  /** Changes unicodePwd, as MS-ADTS 3.1.1.3.1.5 says: delete and add with the old password, replace by one who may. */
  #modify(reader: BerReader, caller: DirectoryEntry | undefined): Outcome {
    const entry = this.entries.find(reader.readString() ?? '');
    const changes = passwordChanges(reader);
    if (this.#scheme !== 'ldaps') return NEEDS_TLS;
    if (entry === undefined || caller === undefined) return NO_RIGHT;
    const [first, second] = changes;
    const isReset = first?.operation === REPLACE;
    if (isReset && !this.mayReset.has(caller)) return NO_RIGHT;
    if (!isReset && first?.password !== entry.password) return WRONG_OLD;
    const password = (isReset ? first : second)?.password;
    if (password === undefined || password.length < this.leastLength || entry.had.has(password))
      return BREAKS_RULE;
    if (entry.password !== undefined) entry.had.add(entry.password);
    entry.had.add(password);
    entry.password = password;
    entry.passwordExpired = false;
    entry.set({ pwdLastSet: [fileTime(Date.now())] });
    this.passwordWrites.push(`${caller.dn}: ${isReset ? 'reset' : 'change'}`);
    return { code: RESULT.success };
  }
}

/** How many bytes the first message has; 0 if it is not complete. */
function messageSize(bytes: Buffer): number {
  const reader = new BerReader(bytes);
  if (reader.readSequence() === null || reader.remain < reader.length) return 0;
  return reader.offset + reader.length;
}

const refusedBind = (data: string): Outcome => ({
  code: RESULT.invalidCredentials,
  message: `80090308: LdapErr: DSID-0C090439, comment: AcceptSecurityContext error, data ${data}, v4563\0`,
});

const REPLACE = 2;

/** The changes of unicodePwd in a request, in their order. */
function passwordChanges(reader: BerReader) {
  const changes: { readonly operation: number | null; readonly password: string | undefined }[] = [];
  reader.readSequence();
  const end = reader.offset + reader.length;
  while (reader.offset < end) {
    reader.readSequence();
    const operation = reader.readEnumeration();
    reader.readSequence();
    const isPassword = reader.readString()?.toLowerCase() === 'unicodepwd';
    reader.readSequence(ProtocolOperation.LBER_SET);
    const [, password] = /^"(.*)"$/s.exec(reader.readString(0x04, true)?.toString('utf16le') ?? '') ?? [];
    changes.push({ operation, password: isPassword ? password : undefined });
  }
  return changes;
}

const NEEDS_TLS: Outcome = {
  code: RESULT.unwillingToPerform,
  message: '0000001F: SvcErr: DSID-031A126C, problem 5003 (WILL_NOT_PERFORM), data 0\n\0',
};
const NO_RIGHT: Outcome = {
  code: RESULT.insufficientAccessRights,
  message: '00000005: SecErr: DSID-031A11ED, problem 4003 (INSUFF_ACCESS_RIGHTS), data 0\n\0',
};
const restricted = (error: string): Outcome => ({
  code: RESULT.constraintViolation,
  message: `${error}: AtrErr: DSID-03190FC8, #1:\n\t0: ${error}: DSID-03190FC8, problem 1005 (CONSTRAINT_ATT_TYPE), data 0, Att 9005a (unicodePwd)\n\0`,
});
const WRONG_OLD = restricted('00000056');
const BREAKS_RULE = restricted('0000052D');

const UNSIGNED: Outcome = {
  code: RESULT.strongerAuthRequired,
  message:
    '00002028: LdapErr: DSID-0C0903DA, comment: The server requires binds to turn on integrity checking if SSL\\TLS are not already active on the connection, data 0, v4563\0',
};

const NO_TLS: Outcome = {
  code: RESULT.unavailable,
  message: '00000000: LdapErr: DSID-0C09132A, comment: Error initializing SSL/TLS, data 0, v4563\0',
};

/** Starts a directory that answers as Active Directory does, and stops it after the test. */
export async function startActiveDirectory(
  t: TestContext,
  options: ActiveDirectoryOptions = {},
): Promise<ActiveDirectory> {
  const directory = new ActiveDirectory(options);
  await directory.listen();
  afterwards(t, () => directory.stop());
  return directory;
}
