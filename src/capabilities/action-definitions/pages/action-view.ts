import { addressWith } from '../../../faces/pages/console/addresses.ts';
import { consolePage } from '../../../faces/pages/console/layout.ts';
import { type Html, html } from '../../../faces/pages/html.ts';
import type { Reader } from '../../../faces/pages/layout.ts';
import type { PageSent } from '../../../faces/pages/page.ts';
import {
  changeForm,
  choiceField,
  faultSummary,
  lineField,
  linesField,
} from '../../../faces/pages/parts/form.ts';
import { facts } from '../../../faces/pages/parts/list.ts';
import { notice } from '../../../faces/pages/parts/notice.ts';
import type { ActionDefinition, ParameterDefinition } from '../domain/action-definition.ts';
import type { ActionFault } from '../domain/action-faults.ts';
import { inLanguage } from '../domain/label.ts';
import { fieldOf } from './values.ts';

/** The page of a definition: what its form holds, and what was found wrong with that; undefined before the first check. */
interface ActionShown {
  readonly definition: ActionDefinition;
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults?: readonly ActionFault[] | undefined;
}

/** The types that browsers have a field for. */
const INPUT_TYPES: Readonly<Record<string, 'date' | 'text'>> = { 'd:date': 'date' };

/** The field of the fault: the pointer names the parameter, and of a list the value. */
function fieldAt({ parameters }: ActionDefinition, { pointer }: ActionFault): string | undefined {
  const name = pointer.split('/')[2]?.replaceAll('~1', '/').replaceAll('~0', '~');
  return parameters.some((each) => each.name === name) ? fieldOf({ name: name as string }) : undefined;
}

function fieldShown(reader: Reader, parameter: ParameterDefinition, view: ActionShown): Html {
  const { say, language } = reader;
  const { definition, values, faults = [] } = view;
  const { type, multiValued, mandatory, constraint, allowed, label } = parameter;
  const name = fieldOf(parameter);
  const text = values[name];
  const hints = [
    type,
    multiValued && say('console.actions.lines'),
    constraint && say('console.actions.constraint', { constraint }),
  ];
  const field = {
    name,
    label: inLanguage(label, language, definition.language) ?? parameter.name,
    hint: hints.filter(Boolean).join(' · '),
    value: typeof text === 'string' ? text : undefined,
    fault: faults.find((each) => fieldAt(definition, each) === name)?.message,
    isOptional: !mandatory,
  };
  if (multiValued) return linesField(reader, field);
  const choices = type === 'd:boolean' ? [{ value: true }, { value: false }] : allowed;
  if (choices === undefined) return lineField(reader, { ...field, type: INPUT_TYPES[type] ?? 'text' });
  const shownChoices = choices.map((each) => ({
    value: String(each.value),
    text: ('label' in each && inLanguage(each.label as never, language)) || String(each.value),
  }));
  return choiceField({
    ...field,
    choices: [{ value: '', text: say('console.actions.noValue') }, ...shownChoices],
  });
}

/** The result of a check: a sentence if all values are valid, else each fault with a link to its field. */
function verdict({ say }: Reader, { definition, faults }: ActionShown): Html | undefined {
  if (faults === undefined) return undefined;
  if (faults.length === 0) return notice('good', say('console.actions.valid'));
  return faultSummary(
    faults.map((fault) => {
      const field = fieldAt(definition, fault);
      return { sentence: fault.message, ...(field !== undefined && { field }) };
    }),
  );
}

/** The page of an action definition, with the form that its schema makes. */
export function actionPage(reader: Reader, view: ActionShown): PageSent {
  const { say, language } = reader;
  const { definition, values } = view;
  const { name, title, description, applicableTypes, parameters, adHocPropertiesAllowed } = definition;
  const factList = facts([
    [say('console.actions.title'), inLanguage(title, language, definition.language)],
    [say('console.actions.description'), inLanguage(description, language, definition.language)],
    [say('console.actions.types'), applicableTypes.join(', ') || say('console.actions.everyType')],
    [
      say('console.actions.adHoc'),
      say(adHocPropertiesAllowed ? 'console.actions.yes' : 'console.actions.no'),
    ],
  ]);
  const node = typeof values.node === 'string' ? values.node : undefined;
  const path = `/portal/console/actions/${encodeURIComponent(name)}`;
  const fields = html`${parameters.map((parameter) => fieldShown(reader, parameter, view))}
${lineField(reader, {
  name: 'node',
  label: say('console.actions.forNode'),
  hint: say('console.actions.forNodeHint'),
  value: node,
  isOptional: true,
})}`;
  return consolePage(reader, {
    title: name,
    current: '/portal/console/actions/',
    up: { to: addressWith('/portal/console/actions', { node }), text: say('console.actions') },
    body: html`<div class="card">${factList}</div><div class="card"><h2>${say('console.actions.check')}</h2>
${verdict(reader, view)}${changeForm(reader, { action: path, fields, submit: say('console.actions.submit') })}</div>`,
  });
}
