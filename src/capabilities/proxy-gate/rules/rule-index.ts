import { type AddressRange, type ClientAddress, isWithin } from '../../../core/http/client-address.ts';
import type { Segments } from './readings.ts';

/** What rules know of a request besides its host and path. */
export interface SendingParts {
  readonly method: string;
  /** The address of the client; undefined if the proxy does not send it. */
  readonly client?: ClientAddress | undefined;
}

/** A rule in the index: its place in the document, and the methods and networks that it is about; undefined for all. */
interface IndexedRule {
  readonly at: number;
  readonly methods: ReadonlySet<string> | undefined;
  readonly networks: readonly AddressRange[] | undefined;
}

/** A place in the tree of paths. `*` and `**` are children of their own. */
interface PathPlace {
  readonly fixed: Map<string, PathPlace>;
  one?: PathPlace;
  /** For `**`: it stays at this place with each further segment. */
  several?: PathPlace;
  readonly isSeveral: boolean;
  /** Rules about this path and all below it, and rules about exactly this path, each in the order of the document. */
  readonly below: IndexedRule[];
  readonly exactly: IndexedRule[];
}

const newPlace = (isSeveral = false): PathPlace => ({ fixed: new Map(), isSeveral, below: [], exactly: [] });

/** Where a rule applies. */
export interface RulePlace extends IndexedRule {
  /** The segments of its path or pattern; `*` and `**` in a pattern are wildcards. */
  readonly segments: Segments;
  readonly isPattern: boolean;
}

/** Finds the first of many rules that fits a path. It takes one step for each segment, however many rules there are. */
export class RuleIndex {
  readonly #root = newPlace();
  #hasWildcards = false;

  /** Call this in the order of the document. */
  add({ segments, isPattern, at, methods, networks }: RulePlace): void {
    this.#hasWildcards ||= isPattern && segments.some(isWildcard);
    let place = this.#root;
    for (const segment of segments) place = childOf(place, isPattern ? segment : undefined, segment);
    (isPattern ? place.exactly : place.below).push({ at, methods, networks });
  }

  /** The lowest place in the document of a rule that fits; `before` if none below that fits. */
  first(segments: Segments, sending: SendingParts, before: number): number {
    if (!this.#hasWildcards) return this.#firstFixed(segments, sending, before);
    let found = before;
    let places = withSeveral([this.#root]);
    for (const segment of segments) {
      for (const { below } of places) found = lowest(below, sending, found);
      places = withSeveral(nextOf(places, segment));
      if (places.length === 0) return found;
    }
    for (const { below, exactly } of places) found = lowest(exactly, sending, lowest(below, sending, found));
    return found;
  }

  /** The same where a path leads to one place at most. */
  #firstFixed(segments: Segments, sending: SendingParts, before: number): number {
    let found = before;
    let place: PathPlace | undefined = this.#root;
    for (const segment of segments) {
      found = lowest(place.below, sending, found);
      place = place.fixed.get(segment);
      if (place === undefined) return found;
    }
    return lowest(place.exactly, sending, lowest(place.below, sending, found));
  }
}

const isWildcard = (segment: string) => segment === '*' || segment === '**';

function childOf(place: PathPlace, wildcard: string | undefined, segment: string): PathPlace {
  if (wildcard === '*') {
    place.one ??= newPlace();
    return place.one;
  }
  if (wildcard === '**') {
    place.several ??= newPlace(true);
    return place.several;
  }
  const child = place.fixed.get(segment) ?? newPlace();
  place.fixed.set(segment, child);
  return child;
}

/** The places that one more segment leads to. */
function nextOf(places: readonly PathPlace[], segment: string): PathPlace[] {
  const next: PathPlace[] = [];
  for (const place of places) {
    const fixed = place.fixed.get(segment);
    if (fixed !== undefined) next.push(fixed);
    if (place.one !== undefined && segment !== '') next.push(place.one);
    if (place.isSeveral) next.push(place);
  }
  return next;
}

/** The places, with the ones that `**` leads to by no segment. */
function withSeveral(places: PathPlace[]): PathPlace[] {
  // The list grows while it is read: a `**` may follow another one.
  for (const { several } of places)
    if (several !== undefined && !places.includes(several)) places.push(several);
  return places;
}

/** The first of these rules that is about the method and the client, if it stands before `before`. */
function lowest(rules: readonly IndexedRule[], { method, client }: SendingParts, before: number): number {
  for (const { at, methods, networks } of rules) {
    if (at >= before) break;
    const isAboutClient = networks === undefined || (client !== undefined && isWithin(client, networks));
    if (isAboutClient && (methods === undefined || methods.has(method))) return at;
  }
  return before;
}
