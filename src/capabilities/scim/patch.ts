import { isDeepStrictEqual } from 'node:util';
import { bodyUnreadable, isRefusal, type Refusal, refuse } from '../../core/domain/refusal.ts';
import { type Attributes, isAttributes, isSamePath, nameIn, valueIn } from './attributes.ts';
import { type PatchTarget, readTarget, type ScimFilter } from './filter.ts';
import { matches } from './matches.ts';

/** One change that a PATCH asks for. */
export interface PatchChange {
  readonly op: 'add' | 'replace' | 'remove';
  readonly target: PatchTarget;
  /** Undefined if there is none, or it is null. */
  readonly value: unknown;
}

type PatchRefusal = Refusal<'body_unreadable' | 'body_invalid' | 'path_invalid' | 'target_missing'>;

/** The most operations of a PATCH. */
const MOST = 1_000;

/**
 * The changes in the body of a PATCH (RFC 7644 section 3.5.2), in their order. An operation without a path changes each
 * attribute that its value has; the names there may be paths, as Entra sends them. The case of `op` does not count.
 */
export function changesIn(body: Attributes): readonly PatchChange[] | PatchRefusal {
  const operations = valueIn(body, 'Operations');
  if (!Array.isArray(operations)) return bodyUnreadable('"Operations" is no list of operations');
  if (operations.length === 0) return bodyUnreadable('"Operations" is empty');
  if (operations.length > MOST)
    return refuse('body_invalid', { detail: `there are more than ${MOST} operations` });
  const changes: PatchChange[] = [];
  for (const operation of operations) {
    const read = isAttributes(operation) ? changesOf(operation) : bodyUnreadable('an operation is no object');
    if (isRefusal(read)) return read;
    changes.push(...read);
  }
  return changes;
}

function changesOf(operation: Attributes): readonly PatchChange[] | PatchRefusal {
  const op = ['add', 'replace', 'remove'].find((each) => each === String(operation.op).toLowerCase());
  if (op === undefined) return refuse('body_invalid', { detail: 'op is one of add, replace and remove' });
  const { path, value } = operation;
  if (op !== 'remove' && !Object.hasOwn(operation, 'value'))
    return refuse('body_invalid', { detail: `an operation that does "${op}" has a value` });
  if (path !== undefined && path !== null && typeof path !== 'string')
    return refuse('path_invalid', { detail: 'it is no text' });
  if (typeof path === 'string' && path !== '') {
    const target = readTarget(path);
    return isRefusal(target) ? target : [{ op: op as PatchChange['op'], target, value: value ?? undefined }];
  }
  if (op === 'remove') return refuse('target_missing');
  if (!isAttributes(value))
    return refuse('body_invalid', { detail: 'without a path, value is an object of attributes' });
  const changes: PatchChange[] = [];
  for (const [name, each] of Object.entries(value)) {
    const target = readTarget(name);
    if (isRefusal(target)) return target;
    changes.push({ op: op as PatchChange['op'], target, value: each ?? undefined });
  }
  return changes;
}

/** The attributes of a resource that not every PATCH may change. */
export interface FixedAttributes {
  /** Those that the service alone sets. */
  readonly readOnly: readonly string[];
  /** Those that every resource has. */
  readonly required: readonly string[];
}

/**
 * Why a change of an attribute is refused; undefined if all may be made. A value that the resource has already is no change:
 * Okta sends the `id` along.
 */
export function faultOfChanges(
  changes: readonly PatchChange[],
  resource: Attributes,
  { readOnly, required }: FixedAttributes,
): Refusal<'attribute_fixed'> | undefined {
  for (const change of changes) {
    const { op, target, value } = change;
    const name = target.path[0] as string;
    const isRemoved = op === 'remove' || value === undefined || value === '';
    const isSame = target.path.length === 1 && isDeepStrictEqual(value, valueIn(resource, name));
    if (readOnly.some((each) => isAbout(change, each)) && (op === 'remove' || !isSame))
      return refuse('attribute_fixed', { detail: `the service alone sets ${name}` });
    if (required.some((each) => isAbout(change, each)) && isRemoved)
      return refuse('attribute_fixed', { detail: `${name} cannot be removed: give another one` });
  }
  return undefined;
}

/** Whether the change is about this attribute of the resource. */
export function isAbout({ target }: PatchChange, name: string): boolean {
  return isSamePath(target.path.slice(0, 1), [name]);
}

/** The resource with these changes. A replaced value of a list that is not there yet is added, as Entra expects it. */
export function patched(resource: Attributes, changes: readonly PatchChange[]): Attributes {
  return changes.reduce((before, { op, target, value }) => {
    const change = { op: value === undefined ? 'remove' : op, value } as const;
    return changedAt(before, target.path, target, change);
  }, resource);
}

/** What is done at the end of a path. */
type PatchValue = Pick<PatchChange, 'op' | 'value'>;

function changedAt(
  of: Attributes,
  [first = '', ...rest]: readonly string[],
  target: PatchTarget,
  change: PatchValue,
): Attributes {
  const name = nameIn(of, first) ?? first;
  const before = Object.hasOwn(of, name) ? (of[name] ?? undefined) : undefined;
  const after =
    rest.length > 0 ? partsChanged(before, rest, target, change) : changed(before, target, change);
  const { [name]: _, ...others } = of;
  return after === undefined ? others : { ...others, [name]: after };
}

/** A complex value, or each value of a list, with a part of it changed. */
function partsChanged(
  before: unknown,
  path: readonly string[],
  target: PatchTarget,
  change: PatchValue,
): unknown {
  const part = (of: unknown) => changedAt(isAttributes(of) ? of : {}, path, target, change);
  if (Array.isArray(before))
    return before.length === 0 && change.op !== 'remove' ? [part({})] : before.map(part);
  return before === undefined && change.op === 'remove' ? undefined : part(before);
}

function changed(before: unknown, { values }: PatchTarget, { op, value }: PatchValue): unknown {
  if (values !== undefined) return valuesChanged([before ?? []].flat(), values, { op, value });
  if (op === 'remove') return Array.isArray(before) ? without(before, value) : undefined;
  if (Array.isArray(before)) return op === 'add' ? [...before, ...[value].flat()] : [value].flat();
  return isAttributes(before) && isAttributes(value) ? merged(before, value) : value;
}

/** A list without these values; undefined without all of them if none is named, as Entra removes values of a list. */
function without(before: readonly unknown[], value: unknown): unknown {
  if (value === undefined) return undefined;
  const gone = [value].flat().map((each) => (isAttributes(each) ? valueIn(each, 'value') : each));
  return before.filter((each) => !gone.includes(isAttributes(each) ? valueIn(each, 'value') : each));
}

/** A complex value with the parts of another one. */
function merged(before: Attributes, value: Attributes): Attributes {
  const parts = Object.entries(value).map(([name, each]) => [nameIn(before, name) ?? name, each]);
  return Object.fromEntries([...Object.entries(before), ...parts]);
}

/** A list with those of its values changed that pass the filter. */
function valuesChanged(
  before: readonly unknown[],
  { filter, part }: NonNullable<PatchTarget['values']>,
  { op, value }: PatchValue,
): readonly unknown[] {
  const passes = (each: unknown): each is Attributes => isAttributes(each) && matches(filter, each);
  if (op === 'remove' && part === undefined) return before.filter((each) => !passes(each));
  const isThere = before.some(passes);
  if (!isThere && op === 'remove') return before;
  const all = isThere ? before : [...before, valuePassing(filter)];
  const change = (each: Attributes) => {
    if (part !== undefined) return changedAt(each, [part], { path: [part] }, { op, value });
    return isAttributes(value) ? merged(each, value) : { ...each, value };
  };
  return all.map((each) => (passes(each) ? change(each) : each));
}

/** A value that passes a filter of comparisons by `eq`. */
function valuePassing(filter: ScimFilter): Attributes {
  if (filter.is === 'and') return Object.assign({}, ...filter.parts.map(valuePassing));
  if (filter.is !== 'compared' || filter.operator !== 'eq') return {};
  return { [filter.path.at(-1) as string]: filter.value };
}
