import { randomBytes } from 'node:crypto';
import type { ValuesOf } from './filter.ts';

type Values = readonly (string | Buffer)[];

/** The attributes of an entry, by name. */
export type Attributes = Readonly<Record<string, Values>>;

/** The root of the domain. */
export const DOMAIN = 'DC=example,DC=com';

/** Names of rules by which Active Directory compares (MS-ADTS, 3.1.1.3.4.4). */
const RULE = {
  bitAnd: '1.2.840.113556.1.4.803',
  bitOr: '1.2.840.113556.1.4.804',
  inChain: '1.2.840.113556.1.4.1941',
};

/** How long a lock-out lasts, as a new domain has it. */
const LOCKED_FOR = 30 * 60_000;

/** From 1601 to 1970, in milliseconds. */
const EPOCH = 11_644_473_600_000;

/** The time as Active Directory writes it: steps of 100 ns since 1601. */
export const fileTime = (at: number): string => String(BigInt(at + EPOCH) * 10_000n);

const timeOf = (fileTimeText: string) => Number(BigInt(fileTimeText) / 10_000n) - EPOCH;

/** A distinguished name as a key: names that mean the same entry have the same. */
export const keyOf = (dn: string): string => dn.toLowerCase().replace(/\s*([,=])\s*/g, '$1');

/** An entry of the directory. */
export class DirectoryEntry {
  dn: string;
  readonly attributes = new Map<string, Values>();
  readonly #entries: DirectoryEntries;
  password: string | undefined;
  /** The passwords before that one, which the domain remembers. */
  readonly had = new Set<string>();
  /** Whether the policy of the domain lets the password be no longer used. */
  passwordExpired = false;

  constructor(entries: DirectoryEntries, dn: string, attributes: Attributes) {
    this.#entries = entries;
    this.dn = dn;
    this.set({ objectGUID: [randomBytes(16)], ...attributes });
  }

  set(attributes: Attributes): void {
    for (const [name, values] of Object.entries(attributes)) this.attributes.set(name, values);
  }

  /** The values of an attribute, with those that the directory makes when it is asked. */
  readonly valuesOf: ValuesOf = (name) => {
    const wanted = name.toLowerCase();
    if (wanted === 'memberof') return this.#entries.groupsOf(this.dn).map(({ dn }) => dn);
    if (wanted === 'distinguishedname') return [this.dn];
    if (wanted === 'msds-user-account-control-computed')
      return [String((this.locked ? 0x10 : 0) | (this.passwordExpired ? 0x800000 : 0))];
    const found = [...this.attributes].find(([attribute]) => attribute.toLowerCase() === wanted);
    return found?.[1] ?? [];
  };

  #number(name: string): number {
    return Number(this.valuesOf(name)[0] ?? 0);
  }

  get locked(): boolean {
    const [since = '0'] = this.valuesOf('lockoutTime');
    return since !== '0' && timeOf(String(since)) + LOCKED_FOR > Date.now();
  }

  /** The data of the refusal of a bind with this password, as Windows numbers them; undefined if it is accepted. */
  refusal(password: string): string | undefined {
    // Only the lock is told without the right password.
    if (this.locked) return '775';
    if (this.password === undefined || password !== this.password) return '52e';
    if ((this.#number('userAccountControl') & 2) !== 0) return '533';
    const [expires = '0'] = this.valuesOf('accountExpires');
    if (expires !== '0' && timeOf(String(expires)) < Date.now()) return '701';
    if (this.passwordExpired) return '532';
    return this.valuesOf('pwdLastSet')[0] === '0' ? '773' : undefined;
  }
}

/** What the directory holds. Everything is below DOMAIN. */
export class DirectoryEntries {
  readonly #byKey = new Map<string, DirectoryEntry>();

  constructor() {
    this.add(DOMAIN, { objectClass: ['top', 'domain', 'domainDNS'], dc: ['example'] });
  }

  get all(): readonly DirectoryEntry[] {
    return [...this.#byKey.values()];
  }

  find(dn: string): DirectoryEntry | undefined {
    return this.#byKey.get(keyOf(dn));
  }

  /** The entry that this text names at a bind: its DN, `name@example.com` or `EXAMPLE\name`. */
  named(text: string): DirectoryEntry | undefined {
    const name = text.toLowerCase();
    return (
      this.find(text) ??
      this.all.find(({ valuesOf }) => {
        const [principal] = valuesOf('userPrincipalName');
        const [account] = valuesOf('sAMAccountName');
        return [principal, account && `example\\${account}`].some(
          (one) => one?.toString().toLowerCase() === name,
        );
      })
    );
  }

  add(dn: string, attributes: Attributes): DirectoryEntry {
    const entry = new DirectoryEntry(this, dn, attributes);
    this.#byKey.set(keyOf(dn), entry);
    return entry;
  }

  remove(dn: string): void {
    this.#byKey.delete(keyOf(dn));
  }

  /** Gives an entry another DN. It stays the same object: its objectGUID does not change, and its groups have the new DN. */
  rename(dn: string, to: string): void {
    const entry = this.find(dn);
    if (entry === undefined) throw new Error(`no entry ${dn}`);
    for (const group of this.groupsOf(dn))
      group.set({
        member: group.valuesOf('member').map((member) => (keyOf(String(member)) === keyOf(dn) ? to : member)),
      });
    this.remove(dn);
    entry.dn = to;
    this.#byKey.set(keyOf(to), entry);
  }

  /** The groups that have this entry as a direct member. */
  groupsOf(dn: string): DirectoryEntry[] {
    const key = keyOf(dn);
    return this.all.filter(({ attributes }) =>
      attributes.get('member')?.some((member) => keyOf(String(member)) === key),
    );
  }

  /** Compares by a matching rule of Active Directory. */
  readonly matchByRule = (
    rule: string,
    attribute: string,
    assertion: string,
    valuesOf: ValuesOf,
  ): boolean => {
    const bits = Number(assertion);
    if (rule === RULE.bitAnd) return valuesOf(attribute).some((value) => (Number(value) & bits) === bits);
    if (rule === RULE.bitOr) return valuesOf(attribute).some((value) => (Number(value) & bits) !== 0);
    if (rule === RULE.inChain) return this.#reaches(attribute, keyOf(assertion), valuesOf, new Set());
    throw new Error(`This directory has no matching rule ${rule}.`);
  };

  /** Whether the attribute leads to the entry with this key, from entry to entry. */
  #reaches(attribute: string, key: string, valuesOf: ValuesOf, seen: Set<string>): boolean {
    return valuesOf(attribute).some((value) => {
      const next = keyOf(String(value));
      if (next === key) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      const entry = this.find(next);
      return entry !== undefined && this.#reaches(attribute, key, entry.valuesOf, seen);
    });
  }
}
