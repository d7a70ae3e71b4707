import {
  type BinaryExpression,
  isAwaitExpression,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isExpressionStatement,
  isFalseLiteral,
  isFunctionLikeDeclaration,
  isIfStatement,
  isLiteralTypeNode,
  isNumericLiteral,
  isTrueLiteral,
  isWhileStatement,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

/** One small change of a file. */
export interface Mutant {
  /** Counted from 1. */
  readonly line: number;
  /** Replaces the text from `start` to `end`. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The change in words. */
  readonly change: string;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
const ARITHMETIC: Readonly<Record<string, string>> = {
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
};
const NUMBERS: Readonly<Record<string, string[]>> = { '0': ['1'], '1': ['0'] };
const LOGIC: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };

/** The syntax trees of files, in their order. */
export function parse(files: readonly string[]): SourceFile[] {
  const api = new API();
  try {
    const snapshot = api.updateSnapshot({ openFiles: [...files] });
    return files.map((file) => {
      const parsed = snapshot.getDefaultProjectForFile(file)?.program.getSourceFile(file);
      if (parsed === undefined) throw new Error(`${file} cannot be read as TypeScript`);
      return parsed;
    });
  } finally {
    api.close();
  }
}

/** Every mutant of a file, in the order of its lines. */
export function mutantsOf(file: SourceFile): Mutant[] {
  const mutants: Mutant[] = [];
  const lineOf = (at: number) => file.text.slice(0, at).split('\n').length;
  const add = (node: Node, replacement: string) => {
    const [start, end] = [node.getStart(file), node.end];
    const change = `${shown(file.text.slice(start, end))} → ${shown(replacement)}`;
    mutants.push({ line: lineOf(start), start, end, replacement, change });
  };
  const visit = (node: Node): void => {
    // A type has no behaviour.
    if (isLiteralTypeNode(node)) return;
    for (const replacement of replacementsOf(node, file)) add(node, replacement);
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  return mutants.sort((one, other) => one.line - other.line || one.start - other.start);
}

/** A text on one line, cut to a readable length. */
function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return line.length > 70 ? `${line.slice(0, 50)} … ${line.slice(-17)}` : line;
}

/** The replacements of a node; none for kinds of nodes that have no mutants. */
function replacementsOf(node: Node, file: SourceFile): string[] {
  if (isTrueLiteral(node)) return ['false'];
  if (isFalseLiteral(node)) return ['true'];
  if (isNumericLiteral(node)) return NUMBERS[node.text] ?? [];
  if (isBinaryExpression(node)) return ofBinary(node, file);
  if (isBlock(node)) return ofBody(node, file);
  if (isExpressionStatement(node)) {
    const { expression } = node;
    const awaited = isAwaitExpression(expression) ? expression.expression : expression;
    return isCallExpression(awaited) ? [';'] : [];
  }
  return isConditionOf(node) ? ['true', 'false'] : [];
}

/** Whether the node is the condition of an `if`, a `while` or a `?:`. Fixing it to true or false tests more than negating it. */
function isConditionOf(node: Node): boolean {
  const { parent } = node;
  if (isConditionalExpression(parent)) return parent.condition === node;
  return (isIfStatement(parent) || isWhileStatement(parent)) && parent.expression === node;
}

function ofBinary(node: BinaryExpression, file: SourceFile): string[] {
  const [left, operator, right] = [node.left, node.operatorToken, node.right].map((part) =>
    file.text.slice(part.getStart(file), part.end),
  ) as [string, string, string];
  const fixed = isConditionOf(node) ? ['true', 'false'] : [];
  const swapped = COMPARISONS[operator] ?? ARITHMETIC[operator] ?? LOGIC[operator];
  // Fixing a comparison to true or false tests more than negating it.
  const isFixed = fixed.length > 0 && (operator === '===' || operator === '!==');
  const with_ = swapped === undefined || isFixed ? [] : [`${left} ${swapped} ${right}`];
  const dropped = operator in LOGIC || operator === '??' ? [left, right] : [];
  return [...fixed, ...with_, ...dropped];
}

/** A function that does nothing. */
function ofBody(node: Node, file: SourceFile): string[] {
  const isEmpty = file.text.slice(node.getStart(file), node.end).replaceAll(/\s/g, '') === '{}';
  return isFunctionLikeDeclaration(node.parent) && !isEmpty ? ['{}'] : [];
}
