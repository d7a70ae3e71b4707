import type { Representation } from '../../core/representations/representation.ts';
import { Type } from '../../core/schema.ts';
import {
  type AttributePath,
  type Attributes,
  attributePath,
  isAttributes,
  isSamePath,
} from './attributes.ts';

/** The arguments with which a caller chooses attributes (RFC 7644 section 3.9). */
export const shownArguments = {
  attributes: Type.Optional(Type.String({ description: 'the attributes to return, with commas between' })),
  excludedAttributes: Type.Optional(
    Type.String({ description: 'the attributes to leave out, with commas between' }),
  ),
};

/** Which attributes of a resource are returned. */
export interface Selection {
  /** Undefined for all. */
  readonly only: readonly AttributePath[] | undefined;
  readonly without: readonly AttributePath[];
}

const pathsIn = (text: string) =>
  text.split(',').flatMap((each) => {
    const path = attributePath(each.trim());
    return path === undefined ? [] : [path];
  });

/** The attributes that these arguments choose. Unknown ones are ignored. */
export function selectionIn(query: {
  readonly attributes?: string;
  readonly excludedAttributes?: string;
}): Selection {
  const { attributes = '', excludedAttributes = '' } = query;
  return { only: attributes === '' ? undefined : pathsIn(attributes), without: pathsIn(excludedAttributes) };
}

/** Attributes that every resource has in every answer. */
const ALWAYS = ['schemas', 'id'];

/** Whether an attribute of this name is returned. */
export function isSelected({ only, without }: Selection, name: string): boolean {
  if (ALWAYS.includes(name)) return true;
  if (without.some((path) => isSamePath(path, [name]))) return false;
  return only === undefined || only.some((path) => isSamePath(path.slice(0, 1), [name]));
}

/** A resource in an answer, with the attributes that the caller chose. */
export interface ShownResource {
  readonly resource: Attributes;
  readonly selection: Selection;
}

function selected({ resource, selection }: ShownResource): Attributes {
  const names = Object.keys(resource).filter((name) => isSelected(selection, name));
  return Object.fromEntries(names.map((name) => [name, partsSelected(name, resource[name], selection)]));
}

/** The parts of an attribute that are chosen by name; all if the whole attribute is. */
function partsSelected(name: string, value: unknown, { only = [], without }: Selection): unknown {
  const partsOf = (paths: readonly AttributePath[]) =>
    paths
      .filter((path) => path.length > 1 && isSamePath(path.slice(0, 1), [name]))
      .map((path) => path[1]?.toLowerCase());
  const [included, dropped] = [partsOf(only), partsOf(without)];
  const isWhole = included.length === 0 || only.some((path) => isSamePath(path, [name]));
  const keep = (part: string) =>
    (isWhole || included.includes(part.toLowerCase())) && !dropped.includes(part.toLowerCase());
  const shorten = (of: unknown) =>
    isAttributes(of) ? Object.fromEntries(Object.entries(of).filter(([part]) => keep(part))) : of;
  return Array.isArray(value) ? value.map(shorten) : shorten(value);
}

const AnyResource = Type.Object({ schemas: Type.Array(Type.String()), id: Type.Optional(Type.String()) });

/** One resource. */
export const resourceShown = {
  schema: AnyResource,
  json: selected,
  // The tag does not depend on the chosen attributes.
  state: ({ resource }) => resource,
} satisfies Representation<ShownResource>;

/** A resource that was added, with its address. */
export const addedShown = {
  ...resourceShown,
  headers: {
    schema: Type.Object({ Location: Type.String() }),
    of: ({ resource }) => ({ Location: (resource.meta as { readonly location: string }).location }),
  },
} satisfies Representation<ShownResource>;

/** A page of a list. `startIndex` counts from 1. */
export interface ShownPage {
  readonly resources: readonly Attributes[];
  readonly total: number;
  readonly startIndex: number;
  readonly selection: Selection;
}

/** A page of a list (RFC 7644 section 3.4.2). */
export const pageShown = {
  schema: Type.Object({
    schemas: Type.Array(Type.String()),
    totalResults: Type.Integer(),
    startIndex: Type.Integer(),
    itemsPerPage: Type.Integer(),
    Resources: Type.Array(AnyResource),
  }),
  json: ({ resources, total, startIndex, selection }) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources.map((resource) => selected({ resource, selection })),
  }),
} satisfies Representation<ShownPage>;
