import { groupKey } from '../domain/group.ts';
import type { WrittenRule } from './document.ts';
import { folded, readingsOf, type Segments, type UnreadableRequest } from './readings.ts';
import { RuleIndex } from './rule-index.ts';

/** A request to a protected service, as a trusted proxy tells it. */
export interface AskedRequest {
  /** As it was sent: methods differ by case. */
  readonly method: string;
  /** In lower case, without a port and without the dot at the end of a full name. */
  readonly host: string;
  /** As it was sent, without the query. */
  readonly path: string;
}

/** The caller, as rules know users: see `userKey` and `groupKey`. */
export interface RuleCaller {
  readonly key: string;
  /** The groups that contain the user, directly or not. */
  readonly groupKeys: readonly string[];
}

/** A rule in force. */
export interface GateRule {
  /** Its number in the document, from 1. */
  readonly number: number;
  readonly line: number;
  readonly written: WrittenRule;
  /** Whether it lets this user through. */
  admits(caller: RuleCaller): boolean;
}

/** A rule in force. `keyOf` gives the form in which user names are compared. */
export function gateRule(
  place: Pick<GateRule, 'number' | 'line'>,
  written: WrittenRule,
  keyOf: (name: string) => string,
): GateRule {
  const { allow } = written;
  if (typeof allow === 'string') return { ...place, written, admits: () => allow !== 'none' };
  const users = new Set((allow.users ?? []).map(keyOf));
  const groups = new Set((allow.groups ?? []).map(groupKey));
  const admits = ({ key, groupKeys }: RuleCaller) =>
    users.has(key) || groupKeys.some((group) => groups.has(group));
  return { ...place, written, admits };
}

/** Who may send a request, by the rules. */
export interface Decision {
  /** `public`: every caller. `none`: no caller. `some`: callers whom every one of the rules lets through. */
  readonly access: 'public' | 'none' | 'some';
  /**
   * The rules that decide: one, or several if services read the path in several ways. `undefined` stands for a way that no
   * rule fits. Empty if the request cannot be read.
   */
  readonly rules: readonly (GateRule | undefined)[];
  /** Why the request cannot be read. */
  readonly unclear?: string;
}

/** The rules for one host, or for all hosts of one form: as they are written, and folded. */
interface HostIndex {
  readonly exact: RuleIndex;
  readonly folded: RuleIndex;
}

/** The segments of a path or pattern in a rule. */
const segmentsOf = (text: string): Segments =>
  text
    .normalize('NFC')
    .split('/')
    .filter((segment) => segment !== '');

/** The methods of a rule: `GET` includes `HEAD`, which services answer alike. */
function methodsOf({ methods }: WrittenRule): ReadonlySet<string> | undefined {
  return methods && new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods);
}

/** Every form of host that rules may be about for this host: itself, `*` with each domain that it is below, any host. */
function* hostForms(host: string): Generator<string> {
  yield host;
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) yield `*${host.slice(dot)}`;
  yield '';
}

const UNFITTING: Decision = { access: 'none', rules: [undefined] };

/** Decides which requests are let through (`people.md` section 20). It never changes: a reload makes new ones. */
export class GateRules {
  readonly rules: readonly GateRule[];
  readonly #hosts = new Map<string, HostIndex>();
  /** Whether the paths of all rules are folded: then both indexes are alike. */
  #areFolded = true;
  /** For each rule, the decision if it decides alone. */
  readonly #decisions: readonly Decision[];

  /** Rules in the order of the document. */
  constructor(rules: readonly GateRule[]) {
    this.rules = rules;
    this.#decisions = rules.map((rule) => ({ access: accessOf([rule]), rules: [rule] }));
    for (const [at, { written }] of rules.entries()) this.#add(at, written);
  }

  #add(at: number, written: WrittenRule): void {
    const { host = '', path, pattern } = written;
    const index = this.#hosts.get(host) ?? { exact: new RuleIndex(), folded: new RuleIndex() };
    this.#hosts.set(host, index);
    const segments = segmentsOf(pattern ?? path ?? '/');
    const place = { isPattern: pattern !== undefined, at, methods: methodsOf(written) };
    const folds = segments.map(folded);
    this.#areFolded &&= folds.every((fold, at) => fold === segments[at]);
    index.exact.add({ ...place, segments });
    index.folded.add({ ...place, segments: folds });
  }

  /** Who may send this request. A path that services read in several ways has to pass in each of them. */
  decide({ method, host, path }: AskedRequest): Decision {
    const readings = readingsOf(path);
    if ('unclear' in readings) return unreadable(readings);
    const found = new Set<number>();
    for (const segments of readings) {
      found.add(this.#first('exact', host, segments, method));
      const folds = segments.map(folded);
      const isFolded = this.#areFolded && folds.every((fold, at) => fold === segments[at]);
      if (!isFolded) found.add(this.#first('folded', host, folds, method));
    }
    const [only = this.rules.length, ...others] = found;
    if (others.length === 0) return this.#decisions[only] ?? UNFITTING;
    const rules = [...found].sort((one, other) => one - other).map((at) => this.rules[at]);
    return { access: accessOf(rules), rules };
  }

  /** The place of the first rule that fits; the number of rules if none fits. */
  #first(spelling: keyof HostIndex, host: string, segments: Segments, method: string): number {
    let first = this.rules.length;
    for (const form of hostForms(host)) {
      const index = this.#hosts.get(form);
      if (index !== undefined) first = index[spelling].first(segments, method, first);
    }
    return first;
  }
}

/** The first rule of the decision that does not let this user through; undefined if all do. Ask only if access is `some`. */
export function ruleAgainst({ rules }: Decision, caller: RuleCaller): GateRule | undefined {
  return rules.find((rule) => rule !== undefined && !rule.admits(caller));
}

/** The decision about a request that cannot be read: it is not let through. */
export function unreadable({ unclear }: UnreadableRequest): Decision {
  return { access: 'none', rules: [], unclear };
}

function accessOf(rules: readonly (GateRule | undefined)[]): Decision['access'] {
  const allowed = rules.map((rule) => rule?.written.allow ?? 'none');
  if (allowed.includes('none')) return 'none';
  return allowed.every((allow) => allow === 'public') ? 'public' : 'some';
}

/** Whether the caller's groups decide. */
export function needsGroups({ rules }: Decision): boolean {
  return rules.some((rule) => typeof rule?.written.allow === 'object');
}
