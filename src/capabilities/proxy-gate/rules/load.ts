import {
  type DocumentFault,
  DocumentsFaulty,
  type ReadDocument,
  readDocument,
} from '../../../core/documents/read-document.ts';
import { EVERYONE, groupKey } from '../../../core/domain/group.ts';
import { userKey } from '../../../core/domain/user.ts';
import { isRange } from '../../../core/settings/parsers.ts';
import { lengthIn, RulesDocument, type WrittenRule } from './document.ts';
import { GateRules, gateRule } from './rules.ts';

/** A name, or `*.` and a name: letters, digits, hyphens and underscores between dots. Or an IPv6 address in brackets. */
const HOST = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$|^\[[0-9a-f:.]+\]$/;

const METHOD = /^[A-Z][A-Z-]*$/;

function faultOfHost(host: string): string | undefined {
  if (HOST.test(host)) return undefined;
  if (/:\d*$/.test(host) && !host.startsWith('['))
    return 'has a port: leave it out, a rule is about every port';
  if (/[A-Z]/.test(host)) return 'has a capital letter: write hosts in lower case';
  if (/[^\x20-\x7e]/.test(host)) return 'has a letter beyond ASCII: write its xn-- form';
  return 'is no host: write one such as wiki.example.org, or *.example.org for all hosts below it';
}

function faultOfPath(path: string): string | undefined {
  if (!path.startsWith('/')) return 'does not begin with a slash';
  if (path.includes('%')) return 'has a percent sign: write the path decoded, such as /täglich';
  const [sign] = /[\\;?#]/.exec(path) ?? [];
  if (sign !== undefined)
    return `has the sign ${sign}, which ends a path or has a second meaning: leave it out`;
  if (/\p{Cc}|\p{Cs}/u.test(path)) return 'has a control character: leave it out';
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  if (path !== '/' && segments.includes('')) return 'has two slashes in a row: write one';
  if (segments.some((segment) => /[. ]$/.test(segment)))
    return 'has a segment that ends with a dot or a blank, which services read in several ways: leave it out';
  return undefined;
}

/** Fixed or wild: `*` is no part of a segment, since a service may read the rest of the segment in its own way. */
function faultOfWildcards(pattern: string): string | undefined {
  const mixed = pattern.split('/').find((segment) => segment.includes('*') && !/^\*\*?$/.test(segment));
  return mixed === undefined
    ? undefined
    : `has the segment "${mixed}": a * stands for one whole segment, ** for any number of them`;
}

/** The shortest `fresh`: below it, a sign-in could be too old when the browser returns from it. */
const SHORTEST_FRESH = 60_000;

function faultOfFresh(fresh: string): string | undefined {
  try {
    return lengthIn(fresh) < SHORTEST_FRESH
      ? 'is below a minute: nobody returns from a sign-in so fast'
      : undefined;
  } catch {
    return 'is no length of time: write one such as 15m, 8h, 1d or PT15M';
  }
}

/** Adds what is wrong with a rule, beyond the schema. */
function checkRule(rule: WrittenRule, fault: (pointer: string, why: string | undefined) => void): void {
  const { host, path, pattern, methods = [], networks = [], allow } = rule;
  if (host !== undefined) fault('/host', faultOfHost(host));
  if (path !== undefined) {
    const wild = path.includes('*') ? 'has a *: give it as "pattern" in place of "path"' : undefined;
    fault('/path', faultOfPath(path) ?? wild);
  }
  if (pattern !== undefined) fault('/pattern', faultOfPath(pattern) ?? faultOfWildcards(pattern));
  if (path !== undefined && pattern !== undefined) fault('', 'has a path and a pattern: give one of them');
  for (const member of ['title', 'logo'] as const)
    if (rule[member] !== undefined && (host === undefined || host.startsWith('*')))
      fault(`/${member}`, 'is of the service at one host: give that as "host", too');
  if (rule.fresh !== undefined) fault('/fresh', faultOfFresh(rule.fresh));
  for (const member of ['factor', 'fresh'] as const)
    if (rule[member] !== undefined && (allow === 'public' || allow === 'none'))
      fault(`/${member}`, `has no effect with "allow": "${allow}", which asks for no user: leave it out`);
  const groups = typeof allow === 'object' ? (allow.groups ?? []) : [];
  for (const [at, group] of groups.entries())
    if (groupKey(group) === groupKey(EVERYONE))
      fault(`/allow/groups/${at}`, 'contains every user: write "allow": "signed-in"');
  for (const [at, method] of methods.entries())
    if (!METHOD.test(method)) fault(`/methods/${at}`, 'is no method: write it in capitals, such as GET');
  for (const [at, network] of networks.entries())
    if (!isRange(network)) fault(`/networks/${at}`, 'is no range of addresses: write one such as 10.0.0.0/8');
}

/** The requests that a rule is about. Of two rules about the same, the second one never decides. */
const aboutOf = ({ host, path, pattern, methods, networks }: WrittenRule) =>
  JSON.stringify([
    host,
    path?.replace(/(.)\/$/, '$1'),
    pattern?.replace(/(.)\/$/, '$1'),
    methods?.toSorted(),
    networks?.toSorted(),
  ]);

/** The faults of rules, beyond the schema. `faultAt` gets the JSON pointer of a rule as `/rules/0`. */
export function faultsOfRules({
  value,
  faultAt,
}: Pick<ReadDocument<RulesDocument>, 'value' | 'faultAt'>): DocumentFault[] {
  const faults: DocumentFault[] = [];
  const first = new Map<string, number>();
  for (const [index, rule] of value.rules.entries()) {
    const at = `/rules/${index}`;
    checkRule(rule, (pointer, why) => {
      if (why !== undefined) faults.push(faultAt(at + pointer, why));
    });
    const earlier = first.get(aboutOf(rule));
    if (earlier !== undefined)
      faults.push(faultAt(at, `never decides: rule ${earlier} is about the same requests`));
    else first.set(aboutOf(rule), index + 1);
  }
  return faults;
}

/**
 * Reads the rules in a document. `namesCaseSensitive` says whether user names differ by case. Throws
 * {@link DocumentsFaulty} with every fault.
 */
export function loadRules(file: string, namesCaseSensitive: boolean): GateRules {
  const document = readDocument(file, RulesDocument);
  const faults = faultsOfRules(document);
  if (faults.length > 0) throw new DocumentsFaulty(faults);
  const keyOf = (name: string) => userKey(name, namesCaseSensitive);
  const rules = document.value.rules.map((written, index) => {
    const { line = 1 } = document.faultAt(`/rules/${index}`, '');
    return gateRule({ number: index + 1, line }, written, keyOf);
  });
  return new GateRules(rules);
}
