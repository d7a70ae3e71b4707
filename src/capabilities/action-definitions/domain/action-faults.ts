import type { ActionDefinition, ParameterDefinition } from './action-definition.ts';
import { type AllowedValue, canHave, INT_RANGE } from './allowed-value.ts';

/** A fault of an action: a sentence for people, and its place as a JSON pointer (RFC 6901), empty for the whole action. */
export interface ActionFault {
  readonly pointer: string;
  readonly message: string;
}

/** The most faults that are listed, and the most allowed values that a sentence lists. */
const MOST_FAULTS = 100;
const MOST_LISTED = 10;

/** The values of each type, in words for people. Types not listed here take a text. */
const TAKES: Readonly<Record<string, string>> = {
  'd:int': `a whole number from ${INT_RANGE.minimum} to ${INT_RANGE.maximum}`,
  'd:long': 'a whole number',
  'd:float': 'a number',
  'd:double': 'a number',
  'd:boolean': 'true or false',
  'd:date': 'a day such as 2026-01-31',
  'd:datetime': 'a time such as 2026-01-31T12:00:00Z',
  'd:noderef': 'a node such as workspace://SpacesStore/company-home, or its id alone',
  'd:category': 'a category such as workspace://SpacesStore/some-id, or its id alone',
  'd:qname': 'a name such as cm:titled',
};

const NODE_TYPES = ['d:noderef', 'd:category'];

/** The id of a node without its store, as v1 clients send it. */
const isNodeId = (value: unknown) => typeof value === 'string' && /^[^:/]+$/.test(value);

const isSingle = (value: unknown): value is AllowedValue['value'] =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** The words for a value in a sentence. They do not repeat a text, which can be long. */
function wordsFor(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'this text';
  if (typeof value === 'number') return `the number ${value}`;
  return value === null || typeof value === 'boolean' ? String(value) : 'an object';
}

/** Whether a parameter of this type can have the value. Any type but lists of values is for `d:any`. */
function fits(type: string, value: unknown): boolean {
  if (type === 'd:any') return true;
  if (!isSingle(value)) return false;
  return canHave(type, value) || (NODE_TYPES.includes(type) && isNodeId(value));
}

function isAllowed({ type, allowed = [] }: ParameterDefinition, value: unknown): boolean {
  if (allowed.some((each) => each.value === value)) return true;
  const byId = NODE_TYPES.includes(type) && isNodeId(value);
  return byId && allowed.some((each) => String(each.value).endsWith(`/${value}`));
}

function listed(allowed: readonly AllowedValue[]): string {
  const first = allowed.slice(0, MOST_LISTED).map(({ value }) => JSON.stringify(value));
  const more = allowed.length - first.length;
  return first.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** What is wrong with one value of a parameter. */
function faultOfValue(parameter: ParameterDefinition, value: unknown): string | undefined {
  const { name, type, allowed } = parameter;
  if (!fits(type, value))
    return `"${name}" takes ${TAKES[type] ?? 'a text'} (${type}), not ${wordsFor(value)}.`;
  if (allowed === undefined || isAllowed(parameter, value)) return undefined;
  return `"${name}" allows ${listed(allowed)}, and nothing else.`;
}

const pointerTo = (...names: readonly (string | number)[]) =>
  names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function faultsOfParameter(
  action: string,
  parameter: ParameterDefinition,
  values: Readonly<Record<string, unknown>>,
): ActionFault[] {
  const { name, type, multiValued, mandatory } = parameter;
  const at = (message: string | undefined, ...more: number[]) =>
    message === undefined ? [] : [{ pointer: pointerTo('parameterValues', name, ...more), message }];
  if (!Object.hasOwn(values, name))
    return mandatory ? at(`"${action}" needs "${name}" (${type}): give it a value.`) : [];
  const value = values[name];
  if (!multiValued) return at(faultOfValue(parameter, value));
  if (!Array.isArray(value)) return at(`"${name}" takes a list of values, not ${wordsFor(value)}.`);
  if (mandatory && value.length === 0) return at(`"${name}" needs at least one value.`);
  return value.flatMap((each, index) => at(faultOfValue(parameter, each), index));
}

function faultsOfUndefined(
  { name: action, adHocPropertiesAllowed, parameters }: ActionDefinition,
  values: Readonly<Record<string, unknown>>,
): ActionFault[] {
  if (adHocPropertiesAllowed) return [];
  const defined = new Set(parameters.map(({ name }) => name));
  const takes = defined.size === 0 ? 'takes none' : `takes ${[...defined].join(', ')}`;
  const unknown = Object.keys(values).filter((name) => !defined.has(name));
  return unknown.map((name) => ({
    pointer: pointerTo('parameterValues', name),
    message: `"${action}" has no parameter of this name: leave it out. It ${takes}.`,
  }));
}

/**
 * Every fault of the parameter values of an action: first those of the defined parameters in their order, then the
 * parameters that are not defined. If there are more than a hundred, the last one says how many are left out.
 */
export function faultsOfValues(
  definition: ActionDefinition,
  values: Readonly<Record<string, unknown>>,
): readonly ActionFault[] {
  const faults = [
    ...definition.parameters.flatMap((each) => faultsOfParameter(definition.name, each, values)),
    ...faultsOfUndefined(definition, values),
  ];
  if (faults.length <= MOST_FAULTS) return faults;
  const more = faults.length - MOST_FAULTS;
  return [...faults.slice(0, MOST_FAULTS), { pointer: '', message: `Faults that are not listed: ${more}.` }];
}
