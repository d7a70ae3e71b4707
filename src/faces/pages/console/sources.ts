import type { Answer } from '../../../core/answer.ts';
import type { ChangeEvent } from '../../../core/domain/event.ts';
import { isRefusal, type Refusal } from '../../../core/domain/refusal.ts';
import type {
  CheckedPart,
  SignInSource,
  SignInSources,
  SourceStep,
} from '../../../core/domain/sign-in-source.ts';
import { type AnyOperation, answer, type OperationTools } from '../../../core/operation.ts';
import { countWrong } from '../../../core/representations/admin/checked-parts.ts';
import { type Html, html } from '../html.ts';
import type { Reader } from '../layout.ts';
import { form, type PageSent, page } from '../page.ts';
import { changeForm } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import { badge, notice } from '../parts/notice.ts';
import { inConsole, type RunOperation } from './change.ts';
import { consolePage } from './layout.ts';
import { card } from './parts.ts';

/** A page of the console about one kind of sign-in source. */
interface SourcesPage {
  readonly area: 'providers' | 'directory';
  readonly summaries: { readonly get: string; readonly check: string };
  sourcesIn(tools: OperationTools): SignInSources | undefined;
  /** Performs the operation that checks, with what was found. */
  check(
    run: RunOperation,
    found: readonly CheckedPart[],
  ): Promise<(Answer<readonly CheckedPart[]> & { readonly changes: readonly ChangeEvent[] }) | Refusal>;
}

/** What a check found: the number of faults, and each step. Sentences of steps are English, as commands print them. */
function foundCards({ say, language }: Reader, parts: readonly CheckedPart[]): Html {
  const wrong = countWrong(parts);
  const sum =
    wrong === 0
      ? notice('good', say('console.sources.right'))
      : notice('bad', say('console.sources.wrong', { count: wrong }));
  // A sentence of a provider says itself what it is about.
  const hasNames = parts.some(({ steps }) => steps.some(({ name }) => name !== undefined));
  const inEnglish = (text: string) => html`<span lang="${language !== 'en' && 'en'}">${text}</span>`;
  const cards = parts.map(({ about, steps }) =>
    card(
      about,
      table<SourceStep>({
        caption: about,
        columns: [
          ...(hasNames
            ? [{ heading: say('console.sources.step'), cell: ({ name = '' }: SourceStep) => inEnglish(name) }]
            : []),
          {
            heading: say('console.sources.result'),
            cell: ({ ok }) =>
              badge(ok ? 'good' : 'bad', say(ok ? 'console.sources.ok' : 'console.sources.fault')),
          },
          { heading: say('console.sources.found'), cell: ({ found }) => inEnglish(found) },
        ],
        rows: steps,
        whenEmpty: '',
      }),
    ),
  );
  return html`${sum}${cards}`;
}

function sourcesPage(
  reader: Reader,
  area: SourcesPage['area'],
  sources: readonly SignInSource[],
  found?: readonly CheckedPart[],
): PageSent {
  const { say } = reader;
  const current = `/portal/console/${area}`;
  const list = table<SignInSource>({
    caption: say(`console.${area}`),
    columns: [
      { heading: say('console.sources.name'), cell: ({ name, id }) => html`${name} <code>${id}</code>` },
      { heading: say('console.sources.address'), cell: ({ address }) => html`<code>${address}</code>` },
    ],
    rows: sources,
    whenEmpty: say(`console.${area}.none`),
  });
  const submit = say('console.sources.check');
  const check = changeForm(reader, { action: `${current}/check`, submit, isCompact: true });
  const body = html`<p>${say(`console.${area}.what`)}</p>${list}${found && foundCards(reader, found)}`;
  return consolePage(reader, {
    title: say(`console.${area}`),
    actions: sources.length > 0 && check,
    current,
    body,
  });
}

/** The page that lists the sources, and the button that checks them and shows each step. */
export function sourcesPages({ area, summaries, sourcesIn, check }: SourcesPage): readonly AnyOperation[] {
  const operator = { role: 'operator' } as const;
  const get = page({
    ...operator,
    id: `org/service/repository/portal/console/${area}.get`,
    summary: summaries.get,
    method: 'GET',
    paths: [`/console/${area}`],
    input: {},
    perform(context) {
      const sources = sourcesIn(context)?.list() ?? [];
      return answer(sourcesPage(inConsole(context).reader, area, sources));
    },
  });
  const post = page({
    ...operator,
    id: `org/service/repository/portal/console/${area}/check.post`,
    summary: summaries.check,
    method: 'POST',
    paths: [`/console/${area}/check`],
    input: { body: form({}) },
    prepare: async (tools) => (await sourcesIn(tools)?.check()) ?? [],
    async perform(context) {
      const { reader, run } = inConsole(context);
      const outcome = await check(run, context.prepared);
      if (isRefusal(outcome)) return outcome;
      const sources = sourcesIn(context)?.list() ?? [];
      return { ...answer(sourcesPage(reader, area, sources, outcome.value)), changes: outcome.changes };
    },
  });
  return [get, post];
}
