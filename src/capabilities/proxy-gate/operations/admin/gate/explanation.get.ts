import { refuse } from '../../../../../core/domain/refusal.ts';
import { parseHop } from '../../../../../core/http/client-address.ts';
import { adminOperation, answer } from '../../../../../core/operation.ts';
import type { Representation } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import { decisionOver, explain, type GateExplanation, type GateVerdict } from '../../../rules/explain.ts';
import type { GateRule, GateRules } from '../../../rules/rules.ts';
import { groupNamesOf } from '../../gate.get.ts';

declare module '../../../../../core/operation.ts' {
  interface OperationTools {
    /** The rules of the gate: in a service those in force, in a command those of the document that is set. */
    readonly gateRulesInForce?: () => GateRules | undefined | Promise<GateRules | undefined>;
  }
}

/** The callers that a rule lets through, in words. */
function allowedBy({ written: { allow } }: GateRule): string {
  if (allow === 'public') return 'every request';
  if (allow === 'signed-in') return 'every user';
  if (allow === 'none') return 'no request';
  const { groups = [], users = [] } = allow;
  return [
    ...(groups.length > 0 ? [`members of ${groups.join(', ')}`] : []),
    ...(users.length > 0 ? [`the users ${users.join(', ')}`] : []),
  ].join(', and ');
}

/** What a rule demands of sign-ins, in words; empty if nothing. */
function demandsOf({ written: { factor, fresh } }: GateRule): string {
  const parts = [
    ...(factor === undefined ? [] : [factor === 'passkey' ? 'with a passkey' : 'with a second factor']),
    ...(fresh === undefined ? [] : [`not longer ago than ${fresh}`]),
  ];
  return parts.length === 0 ? '' : `after a sign-in ${parts.join(' and ')}`;
}

/** The requests that a rule is about, and its effect, in words. */
function textOf(rule: GateRule): string {
  const { host = 'any host', path, pattern, methods = [], networks = [] } = rule.written;
  const where = path === undefined ? (pattern ?? 'any path') : `${path.replace(/(.)\/$/, '$1')} and below`;
  const further = [
    ...(methods.length > 0 ? [methods.join(' ')] : []),
    ...(networks.length > 0 ? [`from ${networks.join(' ')}`] : []),
  ];
  const lets = [allowedBy(rule), demandsOf(rule)].filter(Boolean).join(', ');
  return `${[host, where, ...further].join(', ')}, lets through ${lets}`;
}

/** The answer of the gate, and why. */
function answerOf({ verdict, against, decision: { rules, unclear }, asking }: GateExplanation): string {
  const demands = new Set(rules.map((rule) => rule && demandsOf(rule)).filter(Boolean));
  const ANSWERS: Readonly<Record<GateVerdict, string>> = {
    unreadable: `403, since ${unclear}`,
    public: 'yes, without a user',
    closed: `403, since rule ${against?.number} lets through no request`,
    unmatched: `403, since no rule fits${rules.length > 1 ? ' one of the ways in which services read this path' : ''}`,
    'sign-in': `401, or a redirect to the sign-in page: ${rules.length === 0 ? 'there are no rules, and ' : ''}it needs a user`,
    disabled: `401, since ${asking?.user.name} is disabled`,
    'not-admitted': `403, since rule ${against?.number} lets through ${against && allowedBy(against)}`,
    passes: rules.length === 0 ? 'yes, since there are no rules' : ['yes', ...demands].join(', '),
  };
  return ANSWERS[verdict];
}

/** Shows an explanation, with a sentence of what the gate answers. */
export const explanationShown = {
  schema: Type.Object({
    verdict: Type.String({
      description: 'passes, public, sign-in, disabled, not-admitted, closed, unmatched or unreadable.',
    }),
    against: Type.Optional(Type.Integer({ description: 'The number of the rule that refuses the request.' })),
    answer: Type.String({ description: 'What the gate answers, and why, in words.' }),
    rules: Type.Array(
      Type.Object({
        number: Type.Integer({ description: 'The number of the rule in its document, from 1.' }),
        line: Type.Integer({ description: 'Its line there.' }),
        text: Type.String({
          description: 'The requests that it is about, and whom it lets through, in words.',
        }),
      }),
      {
        description:
          'The rules that decide. If services read the path in several ways, every one of them has to let it through.',
      },
    ),
    why: Type.Optional(Type.String({ description: 'Why the request cannot be read.' })),
    user: Type.Optional(Type.String({ description: 'The name of the user.' })),
    groups: Type.Array(Type.String(), { description: 'The groups of the user.' }),
  }),
  json: (explanation) => {
    const { verdict, against, decision, asking } = explanation;
    return {
      verdict,
      against: against?.number,
      answer: answerOf(explanation),
      rules: decision.rules.flatMap((rule) =>
        rule ? { number: rule.number, line: rule.line, text: textOf(rule) } : [],
      ),
      why: decision.unclear,
      user: asking?.user.name,
      groups: asking?.groups ?? [],
    };
  },
} satisfies Representation<GateExplanation>;

const text = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }));

/** What the rules of the gate in force decide over a request, and why. */
export default adminOperation({
  id: 'org/service/repository/admin/gate/explanation.get',
  summary: 'Say what the gate answers to a request to a protected service, and which rules decide.',
  method: 'GET',
  paths: ['/api/admin/gate/explanation'],
  role: 'operator',
  input: {
    query: Type.Object({
      url: Type.Optional(
        Type.String({
          description: 'The whole URL of the request.',
          examples: ['https://wiki.example.org/admin'],
        }),
      ),
      method: text('Its method. Left out: GET.', 'GET'),
      user: text('The user who sends it. Left out: nobody is signed in.', 'alice'),
      from: text('The address that it comes from, for rules that name networks.', '10.1.2.3'),
    }),
  },
  output: explanationShown,
  refusals: ['argument_invalid', 'user_not_found'],
  async perform({ input: { query }, store, keyOf, gateRulesInForce }) {
    const { url = '', method = 'GET', user: name, from } = query;
    if (!/^https?:\/\//i.test(url))
      return refuse('argument_invalid', {
        detail: 'give the whole URL, such as https://wiki.example.org/admin',
      });
    const rules = await gateRulesInForce?.();
    const client = from === undefined ? undefined : parseHop(from);
    if (client === undefined && (from !== undefined || rules?.namesNetworks))
      return refuse('argument_invalid', {
        detail: 'say where the request comes from, by a whole address such as 10.1.2.3',
      });
    const user = name === undefined ? undefined : await store.users.findByKey(keyOf(name));
    if (name !== undefined && user === undefined) return refuse('user_not_found');
    const asking = user && { user, groups: await groupNamesOf(store, user) };
    return answer(explain(decisionOver(rules, url, method, client), asking, keyOf));
  },
});
