import { refuse } from '../../../../../core/domain/refusal.ts';
import { parseHop } from '../../../../../core/http/client-address.ts';
import { adminOperation, answer } from '../../../../../core/operation.ts';
import type { Representation } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import { decisionOver, explain, type GateExplanation } from '../../../rules/explain.ts';
import { GateRules } from '../../../rules/rules.ts';
import { groupNamesOf } from '../../gate.get.ts';

declare module '../../../../../core/operation.ts' {
  interface OperationTools {
    /** The rules of the gate that are in force; missing in commands. */
    readonly gateRulesInForce?: () => GateRules | undefined;
  }
}

const explanationShown = {
  schema: Type.Object({
    verdict: Type.String({
      description: 'passes, public, sign-in, disabled, not-admitted, closed, unmatched or unreadable.',
    }),
    against: Type.Optional(Type.Integer({ description: 'The number of the rule that refuses the request.' })),
    rules: Type.Array(Type.Integer(), { description: 'The numbers of the rules that decide.' }),
    why: Type.Optional(Type.String({ description: 'Why the request cannot be read.' })),
    groups: Type.Array(Type.String(), { description: 'The groups of the user.' }),
  }),
  json: ({ verdict, against, decision, asking }) => ({
    verdict,
    against: against?.number,
    rules: decision.rules.flatMap((rule) => rule?.number ?? []),
    why: decision.unclear,
    groups: asking?.groups ?? [],
  }),
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
    const rules = gateRulesInForce?.() ?? new GateRules([]);
    const client = from === undefined ? undefined : parseHop(from);
    if (client === undefined && (from !== undefined || rules.namesNetworks))
      return refuse('argument_invalid', {
        detail: 'say where the request comes from, by a whole address such as 10.1.2.3',
      });
    const user = name === undefined ? undefined : await store.users.findByKey(keyOf(name));
    if (name !== undefined && user === undefined) return refuse('user_not_found');
    const asking = user && { user, groups: await groupNamesOf(store, user) };
    return answer(explain(decisionOver(rules, url, method, client), asking, keyOf));
  },
});
