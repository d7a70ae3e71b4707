import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { WrittenRule } from '../../../../src/capabilities/proxy-gate/rules/document.ts';
import { GateRules, gateRule } from '../../../../src/capabilities/proxy-gate/rules/rules.ts';
import { userKey } from '../../../../src/core/domain/user.ts';

/** These rules in force. User names do not differ by case. */
export function inForce(...written: readonly WrittenRule[]): GateRules {
  const placed = (rule: WrittenRule, index: number) =>
    gateRule({ number: index + 1, line: index + 1 }, rule, userKey);
  return new GateRules(written.map(placed));
}

/** The path of a document with this text, in a folder that is removed after the test. */
export function documentWith(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-rules-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'rules.json');
  writeFileSync(file, text);
  return file;
}
