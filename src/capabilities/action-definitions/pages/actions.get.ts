import { isRefusal } from '../../../core/domain/refusal.ts';
import { answer } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { addressWith } from '../../../faces/pages/console/addresses.ts';
import { inConsole } from '../../../faces/pages/console/change.ts';
import { consolePage } from '../../../faces/pages/console/layout.ts';
import { type Html, html } from '../../../faces/pages/html.ts';
import type { Reader } from '../../../faces/pages/layout.ts';
import { type PageSent, page } from '../../../faces/pages/page.ts';
import { filterForm, lineField } from '../../../faces/pages/parts/form.ts';
import { table } from '../../../faces/pages/parts/list.ts';
import { badge } from '../../../faces/pages/parts/notice.ts';
import type { ActionDefinition } from '../domain/action-definition.ts';
import { inLanguage } from '../domain/label.ts';
import type { Node } from '../domain/node.ts';
import actiondefsGet from '../operations/rule/actiondefs.get.ts';
import type { DefinitionsShown } from '../representations/definition-schema.ts';
import { nodeOf } from './node-of.ts';

const ACTIONS = '/portal/console/actions';

/** The values on the page: definitions and, for a node, why some of them do not apply to it. */
interface ActionsShown {
  readonly definitions: readonly ActionDefinition[];
  readonly notApplying: ReadonlyMap<string, string>;
  readonly node: Node | undefined;
  /** The node as it was written. */
  readonly written: string;
}

function results(reader: Reader, { definitions, notApplying, node, written }: ActionsShown): Html {
  const { say, language } = reader;
  const titleOf = ({ title, language: own }: ActionDefinition) => inLanguage(title, language, own);
  const link = ({ name }: ActionDefinition) =>
    html`<a href="${addressWith(`${ACTIONS}/${encodeURIComponent(name)}`, { node: written })}">${name}</a>`;
  const verdict = ({ name }: ActionDefinition) => {
    const why = notApplying.get(name);
    return why === undefined
      ? badge('good', say('console.actions.applies'))
      : html`${badge('neutral', say('console.actions.appliesNot'))} ${why}`;
  };
  const columns = [
    { heading: say('console.actions.name'), cell: link },
    { heading: say('console.actions.title'), cell: titleOf },
    node === undefined
      ? {
          heading: say('console.actions.types'),
          cell: ({ applicableTypes }: ActionDefinition) =>
            applicableTypes.length === 0 ? say('console.actions.everyType') : applicableTypes.join(', '),
        }
      : { heading: say('console.actions.verdict'), cell: verdict },
  ];
  const caption = say('console.actions');
  const rows = { caption, columns, rows: definitions, whenEmpty: say('console.actions.none') };
  return html`<div id="results">${node && html`<p>${say('console.actions.node', { type: node.type })}</p>`}${table<ActionDefinition>(rows)}</div>`;
}

function actionsPage(reader: Reader, view: ActionsShown): PageSent {
  const { say } = reader;
  const fields = lineField(reader, {
    name: 'node',
    label: say('console.actions.forNode'),
    hint: say('console.actions.forNodeHint'),
    value: view.written,
    isOptional: true,
    type: 'search',
  });
  const filters = filterForm(reader, { action: ACTIONS, fields, results: 'results' });
  return consolePage(reader, {
    title: say('console.actions'),
    current: ACTIONS,
    usesHtmx: true,
    body: html`${filters}${results(reader, view)}`,
  });
}

/** The action definitions: all, or which of them apply to a node and why (specification, section 19). */
export default page({
  id: 'org/service/repository/portal/console/actions.get',
  summary: 'Show the action definitions.',
  method: 'GET',
  paths: ['/console/actions'],
  role: 'operator',
  input: {
    query: Type.Object({
      node: Type.Optional(Type.String({ description: 'A reference to a node, or a path from the root.' })),
    }),
  },
  scopedTo: ({ query }) => nodeOf(query.node),
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { node } = context;
    const query = node === undefined ? {} : { explain: 'true' };
    const listed = await run(actiondefsGet, { path: {}, query });
    if (isRefusal(listed)) return listed;
    const { definitions, notApplying = new Map() }: DefinitionsShown = listed.value;
    const written = context.input.query.node ?? '';
    return answer(actionsPage(reader, { definitions, notApplying, node, written }));
  },
});
