import { type BerReader, ProtocolOperation } from 'ldapts';
import {
  type AskedPage,
  askedPage,
  doneMessage,
  entryMessage,
  type Outcome,
  PAGED_RESULTS,
  RESULT,
  referenceMessage,
} from './answers.ts';
import { type DirectoryEntries, type DirectoryEntry, DOMAIN, keyOf } from './entries.ts';
import { type EntryFilter, readFilter } from './filter.ts';

/** The most entries in one answer, and the most values of one attribute, as a new domain has them. */
const MOST_ENTRIES = 1_000;
const MOST_VALUES = 1_500;

/** Attributes that an entry shows only when they are asked for by name. */
const CONSTRUCTED = ['msds-user-account-control-computed'];

interface SearchAsked {
  readonly base: string;
  readonly scope: number;
  readonly sizeLimit: number;
  readonly filter: EntryFilter;
  readonly attributes: readonly string[];
  readonly page: AskedPage | undefined;
}

function readSearch(entries: DirectoryEntries, reader: BerReader): SearchAsked {
  const base = reader.readString() ?? '';
  const scope = reader.readEnumeration() ?? 0;
  reader.readEnumeration();
  const sizeLimit = reader.readInt() ?? 0;
  reader.readInt();
  reader.readBoolean();
  const filter = readFilter(reader, entries.matchByRule);
  reader.readSequence();
  const end = reader.offset + reader.length;
  const attributes: string[] = [];
  while (reader.offset < end) attributes.push(reader.readString() ?? '');
  return { base, scope, sizeLimit, filter, attributes, page: askedPage(reader) };
}

const UNBOUND: Outcome = {
  code: RESULT.operationsError,
  message:
    '000004DC: LdapErr: DSID-0C090A5C, comment: In order to perform this operation a successful bind must be completed on the connection., data 0, v4563\0',
};

/** Why nothing can be searched below this base; undefined if it can. */
function refusalOf(entries: DirectoryEntries, base: string): Outcome | undefined {
  const key = keyOf(base);
  if (key !== keyOf(DOMAIN) && !key.endsWith(`,${keyOf(DOMAIN)}`))
    return {
      code: RESULT.referral,
      message: "0000202B: RefErr: DSID-031007F9, data 0, 1 access points\n\tref 1: 'other.example'\n\0",
      referral: `ldap://other.example/${base}`,
    };
  const known = entries.all.some(({ dn }) => keyOf(dn) === key || keyOf(dn).endsWith(`,${key}`));
  if (known) return undefined;
  return {
    code: RESULT.noSuchObject,
    matched: DOMAIN,
    message: `0000208D: NameErr: DSID-0310028B, problem 2001 (NO_OBJECT), data 0, best match of:\n\t'${DOMAIN}'\n\0`,
  };
}

function inScope(dn: string, base: string, scope: number): boolean {
  const [key, top] = [keyOf(dn), keyOf(base)];
  if (scope === 0) return key === top;
  if (scope === 1) return key.endsWith(`,${top}`) && !key.slice(0, -top.length - 1).includes(',');
  return key === top || key.endsWith(`,${top}`);
}

/** The attributes of an entry as they are sent: of many values the first ones, and the name tells which. */
function shown(entry: DirectoryEntry, asked: readonly string[]): [string, readonly (string | Buffer)[]][] {
  const all = asked.length === 0 || asked.includes('*');
  const own = all ? [...entry.attributes.keys(), 'memberOf', 'distinguishedName'] : [];
  const named = asked.filter((name) => name !== '*' && name !== '1.1');
  return [...new Set([...own, ...named])].flatMap((name) => {
    const [attribute = '', range] = name.split(';range=');
    const first = Number.parseInt(range ?? '0', 10);
    const values = entry.valuesOf(attribute);
    if (values.length === 0 || (CONSTRUCTED.includes(attribute.toLowerCase()) && !named.includes(name)))
      return [];
    const some = values.slice(first, first + MOST_VALUES);
    const last = first + some.length === values.length ? '*' : String(first + some.length - 1);
    return values.length <= MOST_VALUES
      ? [[attribute, values]]
      : [[`${attribute};range=${first}-${last}`, some]];
  });
}

/** The other naming contexts, which the root of the domain refers to. */
const REFERENCES = ['ForestDnsZones', 'DomainDnsZones', 'Configuration'].map((name) =>
  name === 'Configuration'
    ? `ldap://example.com/CN=Configuration,${DOMAIN}`
    : `ldap://${name}.example.com/DC=${name},${DOMAIN}`,
);

function* rootMessages(id: number): Generator<Buffer> {
  yield entryMessage(id, '', [
    ['defaultNamingContext', [DOMAIN]],
    ['namingContexts', [DOMAIN, `CN=Configuration,${DOMAIN}`]],
    ['dnsHostName', ['dc1.example.com']],
    ['supportedControl', [PAGED_RESULTS]],
    ['supportedCapabilities', ['1.2.840.113556.1.4.800', '1.2.840.113556.1.4.1670']],
  ]);
  yield doneMessage(id, ProtocolOperation.LDAP_RES_SEARCH, { code: RESULT.success });
}

/** The messages that answer a search. Without a user who is bound only the root of the server can be read. */
export function* answerSearch(
  entries: DirectoryEntries,
  id: number,
  reader: BerReader,
  bound: boolean,
): Generator<Buffer> {
  const { base, scope, sizeLimit, filter, attributes, page } = readSearch(entries, reader);
  if (base === '' && scope === 0) return yield* rootMessages(id);
  const refusal = bound ? refusalOf(entries, base) : UNBOUND;
  if (refusal !== undefined) return yield doneMessage(id, ProtocolOperation.LDAP_RES_SEARCH, refusal);
  const found = entries.all.filter((entry) => inScope(entry.dn, base, scope) && filter(entry.valuesOf));
  const from = Number(page?.cookie || 0);
  const most = Math.min(
    ...([page?.size, sizeLimit, MOST_ENTRIES].filter((size) => size !== undefined && size > 0) as number[]),
  );
  const until = from + most;
  for (const entry of found.slice(from, until)) yield entryMessage(id, entry.dn, shown(entry, attributes));
  if (scope === 2 && keyOf(base) === keyOf(DOMAIN) && until >= found.length)
    for (const url of REFERENCES) yield referenceMessage(id, url);
  const more = found.length > until;
  const code = more && (page === undefined || most === sizeLimit) ? RESULT.sizeLimitExceeded : RESULT.success;
  const cookie = page && (more && code === RESULT.success ? String(until) : '');
  yield doneMessage(id, ProtocolOperation.LDAP_RES_SEARCH, { code }, cookie);
}
