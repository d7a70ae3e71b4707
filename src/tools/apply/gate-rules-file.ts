import { RulesDocument, type WrittenRule } from '../../capabilities/proxy-gate/rules/document.ts';
import { DocumentsFaulty, readDocument } from '../../core/documents/read-document.ts';
import { variableOf } from '../../core/settings/table.ts';
import { CommandRefused } from '../../faces/cli/failure.ts';
import type { StateChange } from './plan.ts';
import { type PreparedFile, prepareFile } from './prepared-file.ts';

/** The document of the gate's rules, which is to have other rules. */
export interface OtherRules {
  readonly changes: readonly StateChange[];
  /** Writes the new document beside the old one. */
  prepare(): PreparedFile;
}

/** The document of the rules; undefined if it does not exist or has faults. */
export function rulesIn(file: string): RulesDocument | undefined {
  try {
    return readDocument(file, RulesDocument).value;
  } catch (error) {
    if (error instanceof DocumentsFaulty) return undefined;
    throw error;
  }
}

function changesOf(before: readonly WrittenRule[], after: readonly WrittenRule[]): StateChange[] {
  const textOf = (rule: WrittenRule) => JSON.stringify(rule);
  const [old, fresh] = [before.map(textOf), after.map(textOf)];
  const kind = 'gateRule';
  const stayed = old.filter((name) => fresh.includes(name));
  const inOtherOrder = fresh.filter((name) => old.includes(name)).filter((name, at) => name !== stayed[at]);
  const moved = inOtherOrder.filter((name) => old.indexOf(name) !== fresh.indexOf(name));
  return [
    ...old
      .filter((name) => !fresh.includes(name))
      .map((name): StateChange => ({ change: 'remove', kind, name })),
    ...fresh
      .filter((name) => !old.includes(name))
      .map((name): StateChange => ({ change: 'add', kind, name })),
    ...moved.map((name): StateChange => {
      const [from, to] = [old.indexOf(name) + 1, fresh.indexOf(name) + 1];
      return { change: 'change', kind, name, field: 'place', from, to };
    }),
  ];
}

/**
 * The way to write these rules into the gate's document; undefined if it has them. Throws {@link CommandRefused} if no document is
 * named.
 */
export function otherRules(
  rules: readonly WrittenRule[] | undefined,
  gateRules: string,
): OtherRules | undefined {
  if (rules === undefined) return undefined;
  if (gateRules === '')
    throw new CommandRefused(
      `The file has gateRules, but no setting says where the service reads them: name their document with --rules or in ${variableOf('gateRules')}, or leave gateRules out.`,
    );
  const old = rulesIn(gateRules);
  if (JSON.stringify(old?.rules) === JSON.stringify(rules)) return undefined;
  const { $schema } = old ?? {};
  const document = { ...($schema !== undefined && { $schema }), rules };
  return {
    changes: changesOf(old?.rules ?? [], rules),
    prepare: () => prepareFile(gateRules, `${JSON.stringify(document, undefined, 2)}\n`, false),
  };
}
