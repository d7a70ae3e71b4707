import { isRefusal, type Refusal } from '../../../core/domain/refusal.ts';
import { answer } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { userAddress } from '../../../faces/pages/console/addresses.ts';
import { inConsole } from '../../../faces/pages/console/change.ts';
import { consolePage } from '../../../faces/pages/console/layout.ts';
import { card } from '../../../faces/pages/console/parts.ts';
import { type Html, html } from '../../../faces/pages/html.ts';
import type { Reader } from '../../../faces/pages/layout.ts';
import { page } from '../../../faces/pages/page.ts';
import { choiceField, lineField } from '../../../faces/pages/parts/form.ts';
import { table } from '../../../faces/pages/parts/list.ts';
import { notice } from '../../../faces/pages/parts/notice.ts';
import type { TextKey } from '../../../faces/pages/texts/texts.ts';
import explanationGet from '../operations/admin/gate/explanation.get.ts';
import type { GateExplanation } from '../rules/explain.ts';
import type { GateRule } from '../rules/rules.ts';

const GATE = '/portal/console/gate';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** The callers that a rule lets through, in words. */
function admitted({ say }: Reader, { written: { allow } }: GateRule): Html {
  if (typeof allow === 'string') return html`${say(`console.gate.allow.${allow}`)}`;
  const { groups, users } = allow;
  const listed = (key: 'groups' | 'users', names: readonly string[] | undefined) =>
    names && html`<div>${say(`console.gate.allow.${key}`, { names: names.join(', ') })}</div>`;
  return html`${listed('groups', groups)}${listed('users', users)}`;
}

/** What a rule demands of sign-ins, in words. */
function demanded({ say }: Reader, { written: { factor, fresh } }: GateRule): Html {
  const proof = factor && html`<div>${say(`console.gate.factor.${factor}`)}</div>`;
  return html`${proof}${fresh && html`<div>${say('console.gate.fresh', { age: fresh })}</div>`}`;
}

/** The requests that a rule is about. */
function about({ say }: Reader, { written }: GateRule): Html {
  const { host, path, pattern, methods = [], networks = [], title } = written;
  const where = html`${host === undefined ? say('console.gate.anyHost') : html`<code>${host}</code>`} <code>${path === undefined ? (pattern ?? '/') : path}</code>`;
  const further = [title, methods.join(' '), networks.join(' ')].filter(Boolean).join(' · ');
  return html`${where}${further !== '' && html`<div class="hint">${further}</div>`}`;
}

const rulesTable = (reader: Reader, caption: string, rows: readonly GateRule[]) =>
  table<GateRule>({
    caption,
    columns: [
      { heading: reader.say('console.gate.rule'), cell: ({ number }) => number },
      { heading: reader.say('console.gate.requests'), cell: (rule) => about(reader, rule) },
      { heading: reader.say('console.gate.lets'), cell: (rule) => admitted(reader, rule) },
      { heading: reader.say('console.gate.demands'), cell: (rule) => demanded(reader, rule) },
    ],
    rows,
    whenEmpty: reader.say('console.gate.none'),
  });

/** What the gate answers to a request, why, and the rules that decide. */
function explained(reader: Reader, { verdict, against, decision, asking }: GateExplanation): Html {
  const { say, language } = reader;
  const rules = decision.rules.filter((rule) => rule !== undefined);
  const demands = rules.some(({ written: { factor, fresh } }) => factor !== undefined || fresh !== undefined);
  const sentence = say(`console.gate.verdict.${verdict}`, {
    rule: against?.number ?? 0,
    user: asking?.user.name ?? '',
  });
  const why =
    decision.unclear && html` <span lang="${language !== 'en' && 'en'}">(${decision.unclear})</span>`;
  const tones = { passes: 'good', public: 'good', 'sign-in': 'warning' } as const;
  const tone = verdict in tones ? tones[verdict as keyof typeof tones] : 'bad';
  const groups =
    asking &&
    say('console.gate.groupsOf', { user: asking.user.name, groups: asking.groups.join(', ') || '–' });
  return html`${notice(tone, html`${sentence}${why}${verdict === 'passes' && demands && html` ${say('console.gate.verdict.demands')}`}`)}
${rules.length > 0 && rulesTable(reader, say('console.gate.deciding'), rules)}
${asking && html`<p><a href="${userAddress(asking.user.name)}">${groups}</a></p>`}`;
}

const member = (description: string) => Type.Optional(Type.String({ description, maxLength: 4_096 }));

type Question = { readonly [M in 'url' | 'method' | 'user' | 'from']?: string };

type Faults = { readonly [M in keyof Question]?: string };

/** Why a question is refused, by the field that it is about. */
function faultsOf({ say }: Reader, { url = '' }: Question, { refused }: Refusal): Faults {
  if (refused === 'user_not_found') return { user: say('console.gate.noUser') };
  return /^https?:\/\//i.test(url)
    ? { from: say('console.gate.noAddress') }
    : { url: say('console.gate.noUrl') };
}

function questionForm(reader: Reader, question: Question, faults: Faults, needsAddress: boolean): Html {
  const { say } = reader;
  const field = (name: keyof Question, label: string, hint: TextKey, isOptional = false) =>
    lineField(reader, {
      name,
      label,
      hint: say(hint),
      value: question[name],
      fault: faults[name],
      isOptional,
    });
  const choices = METHODS.map((value) => ({ value, text: value }));
  return html`<form class="filters" method="get" action="${GATE}">${field('url', say('console.gate.url'), 'console.gate.urlHint')}
${field('user', say('console.users.name'), 'console.gate.userHint', true)}${choiceField({ name: 'method', label: say('console.gate.method'), value: question.method, choices })}
${field('from', say('console.gate.from'), 'console.gate.fromHint', !needsAddress)}<div class="actions"><button>${say('console.gate.explain')}</button></div></form>`;
}

/** The page of the console about the gate: its rules, and what they decide over a request. */
const gate = page({
  id: 'org/service/repository/portal/console/gate.get',
  summary: 'Show the rules of the gate, and explain a request.',
  method: 'GET',
  paths: ['/console/gate'],
  role: 'operator',
  input: {
    query: Type.Object({
      url: member('The URL to explain.'),
      method: member('Its method.'),
      user: member('The user who sends it.'),
      from: member('The address that it comes from.'),
    }),
  },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { say } = reader;
    const question = Object.fromEntries(
      Object.entries(context.input.query).filter(([, value]) => value?.trim()),
    ) as Question;
    const asked = question.url === undefined ? undefined : await run(explanationGet, { query: question });
    if (isRefusal(asked) && asked.refused === 'role_needed') return asked;
    const faults = isRefusal(asked) ? faultsOf(reader, question, asked) : {};
    const outcome = asked && !isRefusal(asked) && explained(reader, asked.value);
    const inForce = await context.gateRulesInForce?.();
    const form = questionForm(reader, question, faults, inForce?.namesNetworks === true);
    const body = html`<p>${say('console.gate.what')}</p>
${card(say('console.gate.title'), html`${form}${outcome}`)}
<h2>${say('console.gate.rules')}</h2>${rulesTable(reader, say('console.gate.rules'), inForce?.rules ?? [])}`;
    return answer(consolePage(reader, { title: say('console.gate'), current: GATE, body }));
  },
});

export const CONSOLE_PAGES = [gate];
