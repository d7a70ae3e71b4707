/** A node type and its parent type. Names are in prefix form, such as `cm:folder`. */
export interface TypeDefinition {
  readonly name: string;
  readonly parent?: string | undefined;
}

/** A fault of a model: the type, and what is wrong with it. */
interface ModelFault {
  readonly type: string;
  readonly fault: string;
}

/** The type hierarchy: for each type a set of itself and all its super-types. Computed once, when the model is loaded. */
export type ContentModel = ReadonlyMap<string, ReadonlySet<string>>;

function lineOf(start: string, parents: ReadonlyMap<string, string | undefined>): Set<string> | ModelFault {
  const line = new Set<string>();
  for (let type: string | undefined = start; type !== undefined; type = parents.get(type)) {
    if (line.has(type)) {
      if (type !== start) return { type: start, fault: `descends from ${type}, which is its own super-type` };
      return { type: start, fault: `is its own super-type, by ${[...line, type].join(' → ')}` };
    }
    if (!parents.has(type)) return { type: start, fault: `descends from ${type}, which is not in the model` };
    line.add(type);
  }
  return line;
}

/** Builds the model of these types, or returns its faults: duplicate names, unknown parents, cycles. */
export function contentModel(
  types: readonly TypeDefinition[],
): ContentModel | { readonly faults: readonly ModelFault[] } {
  const faults: ModelFault[] = [];
  const parents = new Map<string, string | undefined>();
  for (const { name, parent } of types) {
    if (parents.has(name)) faults.push({ type: name, fault: 'is given twice' });
    parents.set(name, parent);
  }
  const model = new Map<string, ReadonlySet<string>>();
  for (const name of parents.keys()) {
    const line = lineOf(name, parents);
    if (line instanceof Set) model.set(name, line);
    else faults.push(line);
  }
  return faults.length > 0 ? { faults } : model;
}
