import { LRUCache } from 'lru-cache';
import type { Refusal } from '../../../core/domain/refusal.ts';
import type { AllowedValue } from '../domain/allowed-value.ts';
import type { ConstraintSource, ParameterConstraint } from '../domain/parameter-constraint.ts';
import type { RepositoryClient } from './repository-client.ts';

/** Limits of the cache: answers, and milliseconds. */
const KEPT = { max: 100, ttl: 5_000 };

const CONSTRAINTS = '/service/api/actionConstraints';

type KnownConstraints = ReadonlyMap<string, ParameterConstraint>;

const isText = (value: unknown) => typeof value === 'string';

function valueIn(written: unknown): AllowedValue {
  const { value, displayLabel } = (written ?? {}) as { value?: unknown; displayLabel?: unknown };
  if (!isText(value)) throw new Error('it answered with a constraint that has a value without text');
  return { value: value as string, label: isText(displayLabel) ? (displayLabel as string) : undefined };
}

function constraintIn(written: unknown): ParameterConstraint {
  const { name, values } = (written ?? {}) as { name?: unknown; values?: unknown };
  if (!isText(name) || !Array.isArray(values)) throw new Error('it answered with no constraint');
  return { name: name as string, values: values.map(valueIn) };
}

/** Names that are never asked for: they would change the path, or no server takes them in one. */
const isNoSegment = (name: string) =>
  name === '.' || name === '..' || /^$|^.{257}|[/\\]|[\p{Cc}\p{Cs}]/su.test(name);

/** Looks up constraints in the catalogue. If it lacks the values, asks a content repository over its web scripts. */
export class ConstraintLookup implements ConstraintSource {
  readonly #known: () => KnownConstraints;
  readonly #repository: RepositoryClient | undefined;
  readonly #kept = new LRUCache<string, Promise<readonly ParameterConstraint[]>>(KEPT);

  /** `known` returns the constraints of the catalogue in force, by name. */
  constructor(constraints: () => KnownConstraints, repository?: RepositoryClient) {
    this.#known = constraints;
    this.#repository = repository;
  }

  async find(name: string): Promise<ParameterConstraint | undefined | Refusal<'nodes_unavailable'>> {
    const constraint = this.#known().get(name);
    if (this.#repository === undefined || isNoSegment(name) || hasValues(constraint)) return constraint;
    try {
      const [found] = await this.#asked(this.#repository, `${CONSTRAINTS}/${encodeURIComponent(name)}`);
      return found ?? constraint;
    } catch (fault) {
      return this.#repository.unavailable(fault);
    }
  }

  async all(): Promise<readonly ParameterConstraint[] | Refusal<'nodes_unavailable'>> {
    const all = new Map(this.#known());
    if (this.#repository === undefined) return [...all.values()];
    try {
      for (const found of await this.#asked(this.#repository, CONSTRAINTS))
        if (!hasValues(all.get(found.name))) all.set(found.name, found);
      return [...all.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
    } catch (fault) {
      return this.#repository.unavailable(fault);
    }
  }

  /** The constraints at this path, cached for a moment and shared by callers that ask at the same time. */
  #asked(repository: RepositoryClient, path: string): Promise<readonly ParameterConstraint[]> {
    const cached = this.#kept.get(path);
    if (cached !== undefined) return cached;
    const pending = constraintsAt(repository, path);
    this.#kept.set(path, pending);
    pending.catch(() => this.#kept.delete(path));
    return pending;
  }
}

const hasValues = (constraint: ParameterConstraint | undefined) =>
  constraint !== undefined && constraint.values.length > 0;

/** The constraints in the repository's answer. None if it does not know the name, or is older than this web script. */
async function constraintsAt(
  repository: RepositoryClient,
  path: string,
): Promise<readonly ParameterConstraint[]> {
  const { status, body } = await repository.get(path);
  if (status === 404) return [];
  if (status !== 200) throw new Error(`it answered ${status}`);
  const { data } = (body ?? {}) as { data?: unknown };
  return [data].flat().map(constraintIn);
}
