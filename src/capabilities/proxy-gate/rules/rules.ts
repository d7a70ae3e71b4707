import { groupKey } from '../../../core/domain/group.ts';
import { type AuthenticationMethod, provesTwoFactors } from '../../../core/domain/ticket.ts';
import { parseRange } from '../../../core/http/client-address.ts';
import { lengthIn, type WrittenRule } from './document.ts';
import { folded, readingsOf, type Segments, type UnreadableRequest } from './readings.ts';
import { RuleIndex, type SendingParts } from './rule-index.ts';

/** A request to a protected service, as a trusted proxy describes it. */
export interface ProtectedRequest extends SendingParts {
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

/** How and when a person proved who they are. */
export interface SignInProof {
  readonly methods: readonly AuthenticationMethod[];
  /** How long ago, in milliseconds. */
  readonly age: number;
}

/** What a sign-in lacks by a rule: a second factor, a passkey, or that it was not long ago. */
export type Lack = 'second' | 'passkey' | 'fresh';

/** A rule in force. */
export interface GateRule {
  /** Its number in the document, from 1. */
  readonly number: number;
  readonly line: number;
  readonly written: WrittenRule;
  /** Whether it lets this user through. */
  admits(caller: RuleCaller): boolean;
  /** What this sign-in lacks; undefined if it is enough. `proof` is undefined for a ticket that no person signed in for. */
  lackOf(proof: SignInProof | undefined): Lack | undefined;
}

function lackOf({ factor, fresh }: WrittenRule): GateRule['lackOf'] {
  const longest = fresh === undefined ? Number.POSITIVE_INFINITY : lengthIn(fresh);
  return ({ methods, age } = { methods: [], age: Number.POSITIVE_INFINITY }) => {
    const isEnough = factor === 'passkey' ? methods.includes('pop') : provesTwoFactors(methods);
    if (factor !== undefined && !isEnough) return factor;
    return fresh !== undefined && age > longest ? 'fresh' : undefined;
  };
}

/** A rule in force. `keyOf` gives the form in which user names are compared. */
export function gateRule(
  place: Pick<GateRule, 'number' | 'line'>,
  written: WrittenRule,
  keyOf: (name: string) => string,
): GateRule {
  const { allow } = written;
  const common = { ...place, written, lackOf: lackOf(written) };
  if (typeof allow === 'string') return { ...common, admits: () => allow !== 'none' };
  const users = new Set((allow.users ?? []).map(keyOf));
  const groups = new Set((allow.groups ?? []).map(groupKey));
  const admits = ({ key, groupKeys }: RuleCaller) =>
    users.has(key) || groupKeys.some((group) => groups.has(group));
  return { ...common, admits };
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
function formsOf(host: string): readonly string[] {
  const forms = [host, ''];
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1))
    forms.push(`*${host.slice(dot)}`);
  return forms;
}

/** The most hosts whose rules are cached: a client can name hosts that do not exist. */
const MOST_HOSTS = 1_000;

const WITHOUT_ADDRESS = {
  unclear:
    'the rules name networks, and the header X-Forwarded-For is missing or no address: let the proxy set it',
};

const UNFITTING: Decision = { access: 'none', rules: [undefined] };

/** Decides which requests are let through (specification, section 20). It never changes: a reload makes new ones. */
export class GateRules {
  readonly rules: readonly GateRule[];
  readonly #hosts = new Map<string, HostIndex>();
  /** For hosts that were asked about lately, the rules that may be about them. */
  readonly #known = new Map<string, readonly HostIndex[]>();
  /** Whether the paths of all rules are folded: then both indexes are alike. */
  #areFolded = true;
  /** For each rule, the decision if it decides alone. */
  readonly #decisions: readonly Decision[];
  /** Whether a rule names networks, so that the address of each client has to be known. */
  readonly namesNetworks: boolean;

  /** Rules in the order of the document. */
  constructor(rules: readonly GateRule[]) {
    this.rules = rules;
    this.namesNetworks = rules.some(({ written }) => written.networks !== undefined);
    this.#decisions = rules.map((rule) => ({ access: accessOf([rule]), rules: [rule] }));
    for (const [at, { written }] of rules.entries()) this.#add(at, written);
  }

  #add(at: number, written: WrittenRule): void {
    const { host = '', path, pattern } = written;
    const index = this.#hosts.get(host) ?? { exact: new RuleIndex(), folded: new RuleIndex() };
    this.#hosts.set(host, index);
    const segments = segmentsOf(pattern ?? path ?? '/');
    const place = {
      isPattern: pattern !== undefined,
      at,
      methods: methodsOf(written),
      networks: written.networks?.map(parseRange),
    };
    const folds = segments.map(folded);
    this.#areFolded &&= folds.every((fold, at) => fold === segments[at]);
    index.exact.add({ ...place, segments });
    index.folded.add({ ...place, segments: folds });
  }

  /** Who may send this request. A path that services read in several ways has to pass in each of them. */
  decide({ host, path, ...sending }: ProtectedRequest): Decision {
    if (this.namesNetworks && sending.client === undefined) return unreadable(WITHOUT_ADDRESS);
    const readings = readingsOf(path);
    if ('unclear' in readings) return unreadable(readings);
    const [plain, ...odd] = readings;
    if (plain !== undefined && odd.length === 0 && this.#needsNoFolding(plain))
      return this.#decisions[this.#first('exact', host, plain, sending)] ?? UNFITTING;
    const found = new Set<number>();
    for (const segments of readings) {
      found.add(this.#first('exact', host, segments, sending));
      found.add(this.#first('folded', host, segments.map(folded), sending));
    }
    const [only = this.rules.length, ...others] = found;
    if (others.length === 0) return this.#decisions[only] ?? UNFITTING;
    const rules = [...found].sort((one, other) => one - other).map((at) => this.rules[at]);
    return { access: accessOf(rules), rules };
  }

  /** Whether a path is found alike in both indexes. */
  #needsNoFolding(path: Segments): boolean {
    return this.#areFolded && path.every((segment) => segment === folded(segment));
  }

  /** The place of the first rule that fits; the number of rules if none fits. */
  #first(spelling: keyof HostIndex, host: string, segments: Segments, sending: SendingParts): number {
    let first = this.rules.length;
    for (const index of this.#indexesFor(host)) first = index[spelling].first(segments, sending, first);
    return first;
  }

  #indexesFor(host: string): readonly HostIndex[] {
    const index = this.#known.get(host);
    if (index !== undefined) return index;
    const found = formsOf(host).flatMap((form) => this.#hosts.get(form) ?? []);
    if (this.#known.size >= MOST_HOSTS) this.#known.clear();
    this.#known.set(host, found);
    return found;
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

/** Whether a rule names groups or users. If none does, a decision of access `some` lets every user through. */
export function namesMembers({ rules }: Decision): boolean {
  return rules.some((rule) => typeof rule?.written.allow === 'object');
}

/** Whether a rule says how or when users have to have signed in. */
export function namesProof({ rules }: Decision): boolean {
  return rules.some((rule) => rule?.written.factor !== undefined || rule?.written.fresh !== undefined);
}

/** The first rule of the decision for which this sign-in is not enough, and what it lacks; undefined if it is enough for all. */
export function lackIn(
  { rules }: Decision,
  proof: SignInProof | undefined,
): { readonly rule: GateRule; readonly lack: Lack } | undefined {
  for (const rule of rules) {
    const lack = rule?.lackOf(proof);
    if (rule !== undefined && lack !== undefined) return { rule, lack };
  }
  return undefined;
}
