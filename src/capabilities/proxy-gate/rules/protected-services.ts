import { type GateRules, type ProtectedRequest, type RuleCaller, ruleAgainst } from './rules.ts';

/** A service behind the gate that has an address. */
export interface ProtectedService {
  readonly title: string;
  readonly logo: string | undefined;
  readonly host: string;
  /** A path there that the user may open. */
  readonly path: string;
}

/** Whether the rules let this user open the page. A sign-in may have to come first. */
function mayOpen(rules: GateRules, page: Omit<ProtectedRequest, 'method'>, caller: RuleCaller): boolean {
  const decision = rules.decide({ ...page, method: 'GET' });
  if (decision.access === 'some') return ruleAgainst(decision, caller) === undefined;
  return decision.access === 'public';
}

/** The services of single hosts in the rules that this user may open, by title. `client` is the address of the user. */
export function servicesFor(
  rules: GateRules,
  caller: RuleCaller,
  client: ProtectedRequest['client'],
): readonly ProtectedService[] {
  const written = rules.rules.map((rule) => rule.written);
  const hosts = new Set(written.flatMap(({ host = '*' }) => (host.startsWith('*') ? [] : [host])));
  return [...hosts]
    .flatMap((host) => {
      const own = written.filter((rule) => rule.host === host);
      const paths = ['/', ...own.flatMap(({ path }) => path ?? [])].map(encodeURI);
      const path = paths.find((each) => mayOpen(rules, { host, path: each, client }, caller));
      const first = (member: 'title' | 'logo') => own.find((rule) => rule[member] !== undefined)?.[member];
      return path === undefined ? [] : [{ title: first('title') ?? host, logo: first('logo'), host, path }];
    })
    .sort((one, other) => one.title.localeCompare(other.title));
}
