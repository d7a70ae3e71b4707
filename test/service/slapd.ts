import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, type TestContext, test } from 'node:test';
import { type CertificatePaths, makeCertificate } from './certified.ts';
import { freePort } from './free-port.ts';
import { ServerProcess } from './server-process.ts';
import { until } from './until.ts';

/** Why no slapd can be started here; nothing when one can. With TESSERA_TEST_ALL=1 that is a failure. */
export function whyNoSlapd(): string | undefined {
  try {
    for (const program of ['slapd', 'slapadd', 'ldapmodify'])
      execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'pipe' });
    return undefined;
  } catch {
    const why =
      'no slapd or ldap-utils on the path (Debian: apt-get install slapd ldap-utils); TESSERA_TEST_ALL=1 makes that a failure';
    if (process.env.TESSERA_TEST_ALL === '1') throw new Error(why);
    return why;
  }
}

/** The suffix of the tree, and where its users, groups and policies are. */
export const SUFFIX = 'dc=example,dc=org';
export const USERS = `ou=people,${SUFFIX}`;
export const GROUPS = `ou=groups,${SUFFIX}`;
const POLICY = `cn=policy,${SUFFIX}`;
/** The account that may search, with its password. */
export const READER = `cn=reader,${SUFFIX}`;
export const READER_PASSWORD = 'reads-but-never-writes';
const ROOT = `cn=root,${SUFFIX}`;
const ROOT_PASSWORD = 'writes-everything-here';
/** The password of each user. */
export const USER_PASSWORD = 'seven-lakes-in-autumn';

/** An entry of LDIF: its name, and lines of attributes. */
const entry = (dn: string, ...lines: readonly string[]) => [`dn: ${dn}`, ...lines].join('\n');

export const dnOf = (uid: string) => `uid=${uid},${USERS}`;

/** A user, with more lines such as `mail: anna@example.org`. */
export function person(uid: string, ...lines: readonly string[]): string {
  const names = [`uid: ${uid}`, `cn: ${uid}`, `sn: ${uid}`];
  return entry(dnOf(uid), 'objectClass: inetOrgPerson', ...names, `userPassword: ${USER_PASSWORD}`, ...lines);
}

export const groupDn = (name: string) => `cn=${name},${GROUPS}`;

/** A group with these members, named by their DNs. */
export function groupOf(name: string, ...members: readonly string[]): string {
  return entry(
    groupDn(name),
    'objectClass: groupOfNames',
    `cn: ${name}`,
    ...members.map((dn) => `member: ${dn}`),
  );
}

const BASE = [
  entry(SUFFIX, 'objectClass: dcObject', 'objectClass: organization', 'o: Example', 'dc: example'),
  entry(USERS, 'objectClass: organizationalUnit', 'ou: people'),
  entry(GROUPS, 'objectClass: organizationalUnit', 'ou: groups'),
  entry(
    READER,
    'objectClass: organizationalRole',
    'objectClass: simpleSecurityObject',
    'cn: reader',
    `userPassword: ${READER_PASSWORD}`,
  ),
  entry(
    POLICY,
    'objectClass: device',
    'objectClass: pwdPolicy',
    'cn: policy',
    'pwdAttribute: userPassword',
    'pwdLockout: TRUE',
    'pwdMaxFailure: 3',
    'pwdLockoutDuration: 600',
    'pwdMustChange: TRUE',
  ),
];

interface SlapdOptions {
  /** Entries besides the base: see {@link person} and {@link groupOf}. */
  readonly entries?: readonly string[];
  /** The most entries that it answers a search with, but for its root. */
  readonly sizeLimit?: number;
  /** The names in its certificate. */
  readonly certifiedFor?: string;
  /** Whether no account may see what the server says that it can do. */
  readonly hidesRoot?: boolean;
  /** Lets people change their own passwords, and the account that searches write those of all, by these further rules of the policy. */
  readonly passwordRules?: readonly string[];
}

/** A real slapd of the tests' own, with its data in a temporary folder. */
export class Slapd extends ServerProcess {
  readonly port: number;
  readonly tlsPort: number;
  readonly certificate: CertificatePaths;

  private constructor(
    port: number,
    tlsPort: number,
    { entries = [], passwordRules = [], ...options }: SlapdOptions,
  ) {
    super('slapd');
    this.port = port;
    this.tlsPort = tlsPort;
    this.certificate = makeCertificate(this.folder, options.certifiedFor);
    mkdirSync(this.#place('data'));
    writeFileSync(this.#place('slapd.conf'), this.#configuration({ ...options, passwordRules }));
    writeFileSync(
      this.#place('base.ldif'),
      `${[[BASE.join('\n\n'), ...passwordRules].join('\n'), ...entries].join('\n\n')}\n`,
    );
    execFileSync('slapadd', ['-q', '-f', this.#place('slapd.conf'), '-l', this.#place('base.ldif')], {
      stdio: 'pipe',
    });
  }

  /** A new server, running. */
  static async start(options: SlapdOptions = {}): Promise<Slapd> {
    const server = new Slapd(await freePort(), await freePort(), options);
    await server.resume();
    return server;
  }

  get url(): string {
    return `ldap://127.0.0.1:${this.port}`;
  }

  get tlsUrl(): string {
    return `ldaps://127.0.0.1:${this.tlsPort}`;
  }

  #place(name: string): string {
    return join(this.folder, name);
  }

  #configuration({ sizeLimit = 500, hidesRoot = false, passwordRules = [] }: SlapdOptions): string {
    const { ca, cert, key } = this.certificate;
    return `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload ppolicy
pidfile ${this.#place('pid')}
TLSCACertificateFile ${ca}
TLSCertificateFile ${cert}
TLSCertificateKeyFile ${key}
TLSVerifyClient never
sizelimit ${sizeLimit}
# As some directories do: a bind with an empty password succeeds for every name.
allow bind_anon_cred
${hidesRoot ? 'access to dn.base="" by * none\n' : ''}database mdb
suffix "${SUFFIX}"
rootdn "${ROOT}"
rootpw ${ROOT_PASSWORD}
directory ${this.#place('data')}
maxsize 268435456
dbnosync
index objectClass,uid,member,entryUUID eq
overlay ppolicy
ppolicy_default "${POLICY}"
ppolicy_use_lockout
access to attrs=userPassword ${passwordRules.length > 0 ? `by self =xw by dn.exact="${READER}" =w ` : ''}by anonymous auth by * none
${passwordRules.length > 0 ? `access to attrs=pwdReset by dn.exact="${READER}" write by * none\n` : ''}access to * by dn.exact="${READER}" read by anonymous auth by * none
`;
  }

  /** Starts the server again on its data, and waits until it answers. */
  async resume(): Promise<void> {
    const child = spawn(
      'slapd',
      ['-d', '0', '-f', this.#place('slapd.conf'), '-h', `${this.url} ${this.tlsUrl}`],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    this.child = child;
    const said = text(child.stderr);
    const answers = () => {
      this.#asRoot('ldapwhoami', '');
      return true;
    };
    await until('slapd answers', () => child.exitCode !== null || answers());
    if (child.exitCode !== null) throw new Error(`slapd ended: ${(await said).trim()}`);
  }

  #asRoot(program: string, input: string, ...words: readonly string[]): void {
    const account = ['-x', '-H', this.url, '-D', ROOT, '-w', ROOT_PASSWORD];
    execFileSync(program, [...account, ...words], { input, stdio: ['pipe', 'pipe', 'pipe'] });
  }

  /** Adds entries. */
  add(...entries: readonly string[]): void {
    this.#asRoot('ldapmodify', `${entries.join('\n\n')}\n`, '-a');
  }

  /** Changes an entry: lines of LDIF, such as `replace: mail` and `mail: anna@example.org`. */
  change(dn: string, ...lines: readonly string[]): void {
    this.#asRoot('ldapmodify', `${entry(dn, 'changetype: modify', ...lines)}\n`, '-e', 'relax');
  }

  /** Gives an entry another password, which its policy does not ask to be changed. */
  setPassword(dn: string, password: string): void {
    this.change(dn, 'replace: userPassword', `userPassword: ${password}`);
    this.change(dn, 'delete: pwdReset');
  }

  /** Gives an entry another name in its place. */
  rename(dn: string, newName: string): void {
    this.#asRoot('ldapmodrdn', '', '-r', dn, newName);
  }

  delete(dn: string): void {
    this.#asRoot('ldapdelete', '', dn);
  }
}

type Body = (t: TestContext, slapd: Slapd) => Promise<void> | void;

/** Tests on one server, gone after the file. Where none can be started they are skipped, and say why. */
export async function testsOnSlapd(options: SlapdOptions): Promise<(name: string, body: Body) => void> {
  const why = whyNoSlapd();
  if (why !== undefined) return (name) => void test(name, (t) => t.skip(why));
  const slapd = await Slapd.start(options);
  after(() => slapd.remove());
  return (name, body) => void test(name, (t) => body(t, slapd));
}
