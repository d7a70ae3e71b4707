import type { CursorPage } from '../../../../core/domain/cursor.ts';
import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { suffices } from '../../../../core/domain/role.ts';
import { type AnyOperation, answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { addressWith } from '../../../../faces/pages/console/addresses.ts';
import {
  type ButtonChange,
  changePages,
  inConsole,
  type RunOperation,
} from '../../../../faces/pages/console/change.ts';
import { downloadLinks } from '../../../../faces/pages/console/download-links.ts';
import { consolePage, doneArgument, doneNotice } from '../../../../faces/pages/console/layout.ts';
import { html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { page } from '../../../../faces/pages/page.ts';
import { icon } from '../../../../faces/pages/parts/icons.ts';
import { pager, placeArguments, type TableColumn, table } from '../../../../faces/pages/parts/list.ts';

interface Program {
  readonly name: string;
  readonly addedAt: number;
}

/** What the pages that list programs and remove one need of them. */
interface Programs<T extends Program> {
  readonly area: 'clients' | 'api-keys';
  /** The middle of the names of their texts. */
  readonly texts: 'clients' | 'apiKeys';
  readonly id: AnyOperation['id'];
  /** What summaries call all of them, and one. */
  readonly called: readonly [all: string, one: string];
  columns(reader: Reader, now: number): readonly TableColumn<T>[];
  list(run: RunOperation, cursor: string): Promise<{ readonly value: CursorPage<T> } | Refusal>;
  find(run: RunOperation, name: string): Promise<{ readonly value: Program } | Refusal>;
  readonly remove: ButtonChange['perform'];
}

/** The list, from which administrators remove one and lead on to the form that adds one. */
export function programPages<T extends Program>(programs: Programs<T>): readonly AnyOperation[] {
  const { area, texts, called } = programs;
  const list = `/portal/console/${area}`;
  const removal = ({ say }: Reader): TableColumn<T> => ({
    heading: say('console.programs.remove'),
    isPlain: true,
    cell: ({ name }) =>
      html`<a href="${`${list}/${encodeURIComponent(name)}/remove`}">${say('console.programs.remove')}</a>`,
  });
  const listPage = page({
    id: programs.id,
    summary: `List the ${called[0]}.`,
    method: 'GET',
    paths: [`/console/${area}`],
    role: 'operator',
    input: { query: Type.Object({ ...doneArgument, ...placeArguments }) },
    async perform(context) {
      const { reader, run } = inConsole(context);
      const { say, user } = reader;
      const { query } = context.input;
      const listed = await programs.list(run, query.cursor ?? '');
      if (isRefusal(listed)) return listed;
      const mayChange = suffices(user?.role, 'administrator');
      const rows = table<T>({
        caption: say(`console.${texts}`),
        columns: [...programs.columns(reader, context.now), ...(mayChange ? [removal(reader)] : [])],
        rows: listed.value.items,
        whenEmpty: say(`console.${texts}.none`),
      });
      const add = `/portal/console/add-${area === 'clients' ? 'client' : 'api-key'}`;
      const view = consolePage(reader, {
        title: say(`console.${texts}`),
        current: list,
        actions:
          mayChange && html`<a class="button" href="${add}">${icon('add')}${say(`console.${texts}.add`)}</a>`,
        done: doneNotice(reader, query.done, { removed: `console.${texts}.removed` }),
        body: html`<p>${say(`console.${texts}.what`)}</p>${rows}
${pager(reader, list, {}, { ...listed.value, ...query })}${downloadLinks(reader, area)}`,
      });
      return answer(view);
    },
  });
  return [listPage, ...removalPages(programs, list)];
}

const removalPages = <T extends Program>({ area, texts, called, find, remove }: Programs<T>, list: string) =>
  changePages({
    area,
    what: 'remove',
    summary: `Remove ${called[1]}.`,
    role: 'administrator',
    async find(run, name) {
      const found = await find(run, name);
      if (isRefusal(found)) return found;
      return { name: found.value.name, state: { id: String(found.value.addedAt) } };
    },
    perform: remove,
    texts: {},
    next: () => addressWith(list, { done: 'removed' }),
    back: () => list,
    asks: {
      texts: ({ say }, name) => ({
        title: say(`console.${texts}.removeTitle`, { name }),
        sentence: say(`console.${texts}.removeSentence`),
        submit: say('console.programs.remove'),
      }),
    },
  });
